// Direction of the light, in world coordinates.
const from = [0.45, 0.8, 0.4];
export const towardSun = from.map((x) => x / Math.hypot(...from));

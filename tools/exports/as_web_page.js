// What OpenUSD for the web looks for in a page, in every thread; fetch must not be found.
"use strict";
globalThis.location = {pathname: "/", href: "file:///"};
globalThis.XMLHttpRequest = class { open() {} send() {} };
delete globalThis.fetch;

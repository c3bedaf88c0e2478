// Globals that OpenUSD for the web expects of a page, in every thread; fetch must not exist.
"use strict";
globalThis.location = {pathname: "/", href: "file:///"};
globalThis.XMLHttpRequest = class { open() {} send() {} };
delete globalThis.fetch;

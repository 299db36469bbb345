/* The conformance suites, to be run by mocha inside a page (test/browser/engines/engines.test.ts). */
import '../../engine/block-ciphers.test.ts';
import '../../engine/conformance.test.ts';
import '../../engine/wasm/conformance.test.ts';
import '../../subtle/conformance.test.ts';
import '../../subtle/malformed-keys.test.ts';

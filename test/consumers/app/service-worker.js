/* `?wasm` is the folder of the modules, for a classic script, which does not know its own. */
import { check } from './check.js';

const wasmBase = new URL(location.href).searchParams.get('wasm') ?? undefined;

addEventListener('message', ({ source }) => {
  check(wasmBase && { wasmBase }).then(
    (found) => source.postMessage(found),
    (error) => source.postMessage({ engines: {}, wrong: [String(error)] }),
  );
});

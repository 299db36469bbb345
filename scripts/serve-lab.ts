/* Serves dist/lab on a free port of the loopback interface: a page of files has no worker and no WebAssembly. */
import { serve } from '../test/browser/server.ts';

const { otherOrigin } = await serve('dist/lab');
console.log(`The Lab is at ${otherOrigin}/ (Ctrl+C ends it)`);

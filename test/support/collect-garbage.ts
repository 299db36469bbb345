import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage of this process now. What large arrays held may be freed on another thread, after it. */
export const collectGarbage = runInNewContext('gc') as () => void;

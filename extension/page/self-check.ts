/*
 * A known answer for each group of built-ins that the page's script captured. On a registered site they
 * are captured before the page's first script. In a tab that was open when its site was enabled, the page
 * may have replaced them before, and calls might never settle. Wrappers that still work, such as those of
 * error reporting tools, pass.
 */
import {
  create,
  defineProperty,
  freeze,
  hasOwn,
  isArray,
  isSafeInteger,
  isWellFormed,
  keys,
  ownKeys,
  SafeMap,
  SafePromise,
  SafeUint8Array,
  viewOf,
  bufferByteLength,
} from '../../src/rpc/primordials.ts';
import {
  dataViewParts,
  dispatch,
  fromUtf8,
  gone,
  isAborted,
  isView,
  listen,
  ownCrypto,
  randomUUID,
  SafeEvent,
  SafeEventTarget,
  SafeFinalizationRegistry,
  failWriting,
  readController,
  SafeReadableStream,
  SafeWritableStream,
  setBytes,
  timers,
  typedArrayParts,
  unlisten,
  utf8,
} from './primordials.ts';

const { AbortController, ArrayBuffer, DataView } = globalThis;

/** Message in the page's console. The page has no API until it is reloaded. */
export const RELOAD =
  'Sealwright came to this page after the page had replaced built-in functions that it needs. Reload the page to use it.';

const CHECKS: readonly (() => boolean)[] = [
  function objects() {
    const object = defineProperty(create(null) as object, 'own', { value: 1, enumerable: true });
    const holds = hasOwn(object, 'own') && !hasOwn(object, 'other');
    return holds && keys(object)[0] === 'own' && ownKeys(freeze(object))[0] === 'own';
  },
  function kinds() {
    return isArray([]) && !isArray({}) && isSafeInteger(7) && !isSafeInteger(0.5);
  },
  function maps() {
    const map = new SafeMap([]);
    let visited = 0;
    map.set('key', 7);
    map.forEach(() => visited++);
    const held = map.has('key') && map.get('key') === 7 && map.size === 1;
    return held && visited === 1 && map.delete('key') && !map.has('key');
  },
  function promises() {
    let started = 0;
    const promise = new SafePromise<void>(() => {
      started++;
    });
    return started === 1 && promise instanceof SafePromise;
  },
  function bytes() {
    const copy = new SafeUint8Array(3);
    setBytes(copy, viewOf(utf8('xab'), 1, 3));
    const view = new DataView(typedArrayParts.buffer(copy), 1, 2);
    const lengths = typedArrayParts.byteLength(copy) === 3 && dataViewParts.byteLength(view) === 2;
    const places = typedArrayParts.byteOffset(copy) === 0 && dataViewParts.byteOffset(view) === 1;
    const isSame = dataViewParts.buffer(view) === typedArrayParts.buffer(copy);
    const buffers = isSame && isView(view) && bufferByteLength(new ArrayBuffer(5)) === 5;
    return lengths && places && buffers && copy[1] === 0x62;
  },
  function text() {
    return isWellFormed('aé') && !isWellFormed('a\ud800') && fromUtf8(utf8('aé')) === 'aé';
  },
  function events() {
    const target = new SafeEventTarget();
    let heard = 0;
    const hear = (): void => {
      heard++;
    };
    listen(target, 'check', hear);
    dispatch(target, new SafeEvent('check'));
    unlisten(target, 'check', hear);
    dispatch(target, new SafeEvent('check'));
    return heard === 1 && !isAborted(new AbortController().signal);
  },
  function streams() {
    let read!: ReadableStreamDefaultController<Uint8Array>;
    let writing!: WritableStreamDefaultController;
    const bare = <T extends object>(value: T): T => ({ __proto__: null, ...value });
    const source = bare({ start: (given: typeof read): void => void (read = given) });
    const sink = bare({ start: (given: typeof writing): void => void (writing = given) });
    new SafeReadableStream<Uint8Array>(source, bare({ highWaterMark: 2 }));
    new SafeWritableStream(sink, bare({ highWaterMark: 1 }));
    const { close, desiredSize, enqueue, error } = readController;
    enqueue(read, new SafeUint8Array(1));
    const hasRoomLeft = desiredSize(read) === 1;
    close(read);
    error(read, undefined);
    failWriting(writing, undefined);
    return hasRoomLeft && desiredSize(read) === null;
  },
  function registries() {
    const registry = new SafeFinalizationRegistry(() => undefined);
    const token = {};
    gone.register(registry, token, () => undefined, token);
    return gone.unregister(registry, token) && !gone.unregister(registry, token);
  },
  function names() {
    const id = randomUUID(ownCrypto);
    return id.length === 36 && id !== randomUUID(ownCrypto);
  },
  function clocks() {
    timers.stop(timers.start(() => undefined, 0));
    return true;
  },
];

/**
 * Whether the built-ins that the API uses work in this page. Never throws.
 *
 * @param messagesWork the same for the built-ins of the channel to the content script
 */
export function builtInsWork(messagesWork: () => boolean): boolean {
  try {
    for (let i = 0; i < CHECKS.length; i++) {
      if (!CHECKS[i]!()) return false;
    }
    return messagesWork();
  } catch {
    // A built-in that throws here does not work.
    return false;
  }
}

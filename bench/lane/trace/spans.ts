/*
 * What an account of one call is made of: functions whose beginning and end are marked in the trace
 * build, and the stages that the marks cut a call into.
 */

/** Functions of one bundle, by file and name (instrument.ts), and the name of their span. */
export type Spans = Readonly<Record<string, Readonly<Record<string, string>>>>;

const CHANNELS = 'extension/platform/channels';

/** Both ends of the way between page and content script. */
const WINDOW: Spans = {
  [`${CHANNELS}/message-port.ts`]: { 'Port.post': 'post', 'Port.onMessage.=>2': 'receive' },
  [`${CHANNELS}/window-channel-events.ts`]: {
    'WindowEvents.post': 'post',
    'WindowEvents.constructor.#onEvent': 'receive',
  },
};
/** Either end of the way between content script and background. */
const PORT: Spans = {
  [`${CHANNELS}/port-channel.ts`]: {
    'PortChannel.#post': 'ask',
    'PortChannel.#receive': 'answered',
  },
};

export const SPANS: Readonly<Record<'page' | 'content' | 'background', Spans>> = {
  page: {
    ...WINDOW,
    'extension/page/api/places.ts': { placeForSealing: 'copy', placeForOpening: 'copy' },
    'extension/page/arguments.ts': { copiedBytes: 'copy' },
  },
  content: {
    ...WINDOW,
    ...PORT,
    'extension/content/bulk/leases.ts': { importedKey: 'import' },
    'extension/content/bulk/in-place.ts': {
      sealInPlace: 'chunks',
      openInPlace: 'chunks',
      'sealInPlace.=>2': 'call',
      'openInPlace.=>2': 'call',
      'sealInPlace.=>3': 'write',
      'openInPlace.=>3': 'write',
    },
  },
  background: {
    ...PORT,
    'src/service/messages/one-message-keys.ts': {
      releaseSeal: 'method',
      releaseOpen: 'method',
      sealPlan: 'work',
      openPlan: 'work',
    },
    'src/service/messages/seal.ts': { seal: 'method' },
    'src/service/messages/open.ts': { opened: 'method' },
    'src/format/short/sealer.ts': { 'MessageSealer.seal': 'work' },
    'src/format/short/opener.ts': { 'MessageOpener.open': 'work' },
  },
};

/** A stage ends at the next mark of this world and span, at the beginning or end of it. */
export interface Stage {
  readonly name: string;
  readonly until?: readonly ['page' | 'content', string, 'begin' | 'end'];
}

/**
 * The stages of a call in their order; the last lasts until the call's end. A message that goes to the
 * background has no import and no chunks: a stage without its mark is part of the next.
 */
export const STAGES: readonly Stage[] = [
  { name: 'page: reading the arguments', until: ['page', 'copy', 'begin'] },
  { name: 'page: copying the bytes', until: ['page', 'copy', 'end'] },
  { name: 'page: making and posting the request', until: ['page', 'post', 'end'] },
  { name: 'way from page to content script', until: ['content', 'receive', 'begin'] },
  { name: 'content script: reading the request', until: ['content', 'ask', 'begin'] },
  { name: 'content script: posting its own', until: ['content', 'ask', 'end'] },
  { name: 'way to the background and back, and its work', until: ['content', 'answered', 'begin'] },
  { name: 'content script: reading the answer', until: ['content', 'import', 'begin'] },
  { name: 'content script: importing the key', until: ['content', 'import', 'end'] },
  { name: 'content script: until the first chunk', until: ['content', 'chunks', 'begin'] },
  { name: 'content script: all chunks', until: ['content', 'chunks', 'end'] },
  { name: 'content script: posting the result', until: ['content', 'post', 'end'] },
  { name: 'way from content script to page', until: ['page', 'receive', 'begin'] },
  { name: 'page: reading the result' },
];

/** Parts of stages: time of a world in all spans of one name. */
export const PARTS: readonly { readonly name: string; readonly of: readonly [string, string] }[] = [
  { name: 'of the way: the background, in all', of: ['background', 'answered'] },
  { name: 'of it: the method, with its checks', of: ['background', 'method'] },
  { name: 'of it: keys, salt, and the cipher of short messages', of: ['background', 'work'] },
  { name: 'of it: posting the answer', of: ['background', 'ask'] },
  { name: 'of the chunks: calls of WebCrypto, until they return', of: ['content', 'call'] },
  { name: 'of the chunks: writing the results', of: ['content', 'write'] },
  { name: 'of the content script: structuredClone', of: ['content', 'clone'] },
];

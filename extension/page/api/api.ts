import { recipientsBytes, sealedLength } from '../../../src/format/wire/sealed-length.ts';
import type { LengthOptions } from '../../../src/format/wire/sealed-length.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { IN_PLACE_BYTES } from '../../../src/rpc/methods/content.ts';
import {
  MAX_ARMORED_BYTES,
  MAX_EPOCHS_BYTES,
  MAX_ID_CHARACTERS,
  MAX_PLAINTEXT_BYTES,
  MAX_FIELD_CHARACTERS,
  MAX_INDEXED_BYTES,
  MAX_PROOF_BYTES,
  MAX_PUBLIC_KEY_CHARACTERS,
  MAX_BATCH_PLAINTEXT_BYTES,
  MAX_BATCH_SEALED_BYTES,
  MAX_BLOB_BYTES,
  MAX_RANDOM_BYTES,
  MAX_SEALED_BLOB_BYTES,
  MAX_SEALED_BYTES,
} from '../../../src/rpc/limits.ts';
import { PAGE_METHODS, sealOptions } from '../../../src/rpc/methods/page.ts';
import type { SealedInfo } from '../../../src/rpc/methods/content.ts';
import type { Grant, KeyInfo } from '../../../src/rpc/methods/page.ts';
import { freeze, isSafeInteger, SafeUint8Array } from '../../../src/rpc/primordials.ts';
import {
  blobArgument,
  checked,
  contextBytes,
  copiedBytes,
  encodedText,
  invalid,
  keyParam,
  optionalBoolean,
  readOptions,
  requiredText,
  sourceOf,
  tooLarge,
  viewedBytes,
} from '../arguments.ts';
import { contextsParam, copied, packedItems, packedTexts, resultsOf } from './batch.ts';
import type { Instead } from '../arguments.ts';
import type { BatchResult } from './batch.ts';
import { bindsMethods } from '../bound-methods.ts';
import type { Calls } from '../connection/calls.ts';
import type { Info } from '../connection/info.ts';
import { NO_CONTROL } from '../connection/control.ts';
import { placeForOpening, placeForSealing } from './places.ts';
import { eventTargetMethods, fromUtf8, SafeEventTarget, typedArrayParts } from '../primordials.ts';
import { failedStream, contentStream, OPENING, SEALING } from '../streams/streams.ts';
import { SealwrightSubtle } from '../subtle/subtle.ts';
import { SealwrightSync } from './sync.ts';

const SEAL_INSTEAD: Instead = { 'a Blob': 'sealBlob' };
const OPEN_INSTEAD: Instead = { 'a Blob': 'openBlob', text: 'openText' };
const TEXT_INSTEAD: Instead = { 'a Blob': 'sealBlob', bytes: 'seal' };
const ARMORED_INSTEAD: Instead = { 'a Blob': 'openBlob', bytes: 'open' };
const BLOB_INSTEAD: Instead = { bytes: 'seal', text: 'seal' };
const SEALED_BLOB_INSTEAD: Instead = { bytes: 'open', text: 'openText' };

const SEAL_OPTIONS = ['key', 'to', 'toSelf', 'portable', 'context', 'pad', 'epochs'] as const;
const SEAL_ONE_OPTIONS = [...SEAL_OPTIONS, 'decoy'] as const;
const OPEN_OPTIONS = ['context', 'accept', 'epochs'] as const;
const SEAL_MANY_OPTIONS = [...SEAL_OPTIONS, 'contexts'] as const;
const OPEN_MANY_OPTIONS = [...OPEN_OPTIONS, 'contexts'] as const;
const KEY_OPTION = ['key'] as const;
const VERIFY_OPTIONS = ['key', 'publicKey'] as const;
const INDEX_OPTIONS = ['key', 'generation'] as const;

/**
 * `window.sealwright`. src/client/page-api.ts has the contract of each method. Arguments are read and
 * copied before a method's first await; errors are rejections. Methods use `return await`, because
 * returning a promise would call the page's Promise.prototype.then. Methods are bound to their instance.
 */
export class Sealwright extends SafeEventTarget {
  readonly info: Info;
  readonly #calls: Calls;
  readonly #subtle: SealwrightSubtle;
  readonly #sync: SealwrightSync;

  constructor(info: Info, calls: Calls) {
    super();
    this.info = info;
    this.#calls = calls;
    this.#subtle = new SealwrightSubtle(calls);
    this.#sync = new SealwrightSync(calls);
    bindTo(this);
    freeze(this);
  }

  get sync(): SealwrightSync {
    return this.#sync;
  }

  get subtle(): SealwrightSubtle {
    return this.#subtle;
  }

  async status(options?: unknown) {
    return await this.#calls.call('status', {}, readOptions(options, []));
  }

  async random(length: unknown, options?: unknown): Promise<Uint8Array> {
    if (!isSafeInteger(length) || (length as number) < 0) {
      throw invalid('length', 'a whole number of bytes');
    }
    if ((length as number) > MAX_RANDOM_BYTES) throw tooLarge('length', MAX_RANDOM_BYTES);
    const params = { length: length as number };
    return await this.#calls.call('random', params, readOptions(options, []));
  }

  async randomUUID(options?: unknown): Promise<string> {
    return await this.#calls.call('randomUUID', {}, readOptions(options, []));
  }

  async randomInt(max: unknown, options?: unknown): Promise<number> {
    const params = checked(PAGE_METHODS.randomInt.params, { max }, '');
    return await this.#calls.call('randomInt', params, readOptions(options, []));
  }

  async connect(request: unknown, options?: unknown): Promise<readonly Grant[]> {
    const params = checked(PAGE_METHODS.connect.params, request, 'request');
    return await this.#calls.call('connect', params, readOptions(options, []));
  }

  async grants(options?: unknown): Promise<readonly Grant[]> {
    return await this.#calls.call('grants', {}, readOptions(options, []));
  }

  async revoke(grantIds?: unknown, options?: unknown): Promise<void> {
    const request = grantIds === undefined ? {} : { grantIds };
    const params = checked(PAGE_METHODS.revoke.params, request, '');
    await this.#calls.call('revoke', params, readOptions(options, []));
  }

  async keys(options?: unknown): Promise<readonly KeyInfo[]> {
    return await this.#calls.call('keys', {}, readOptions(options, []));
  }

  async rotateKey(keyId: unknown, options?: unknown): Promise<KeyInfo> {
    const params = { keyId: requiredText('keyId', keyId, MAX_ID_CHARACTERS) };
    return await this.#calls.call('rotateKey', params, readOptions(options, []));
  }

  async publicKey(keyId: unknown, options?: unknown): Promise<string> {
    const params = { keyId: requiredText('keyId', keyId, MAX_ID_CHARACTERS) };
    return await this.#calls.call('publicKey', params, readOptions(options, []));
  }

  async seal(plaintext: unknown, options?: unknown): Promise<Uint8Array> {
    const source = sourceOf('plaintext', plaintext, MAX_PLAINTEXT_BYTES, SEAL_INSTEAD);
    const read = readOptions(options, SEAL_ONE_OPTIONS);
    const params = sealOneParams(read);
    if (isLarge(source)) {
      const parts = placeForSealing('plaintext', source, params.pad);
      return await this.#calls.call('sealInPlace', { ...parts, ...params }, read);
    }
    const bytes = copiedBytes('plaintext', source, MAX_PLAINTEXT_BYTES);
    return await this.#calls.call('seal', { plaintext: bytes, ...params }, read);
  }

  async open(sealed: unknown, options?: unknown): Promise<Uint8Array> {
    const source = viewedBytes('sealed', sealed, MAX_SEALED_BYTES, OPEN_INSTEAD);
    const read = readOptions(options, OPEN_OPTIONS);
    const params = openParams(read);
    if (isLarge(source)) {
      const parts = placeForOpening('sealed', source);
      return await this.#calls.call('openInPlace', { ...parts, ...params }, read);
    }
    const bytes = copiedBytes('sealed', source, MAX_SEALED_BYTES);
    return await this.#calls.call('open', { sealed: bytes, ...params }, read);
  }

  async sealText(text: unknown, options?: unknown): Promise<string> {
    const bytes = encodedText('text', text, MAX_PLAINTEXT_BYTES, TEXT_INSTEAD);
    const read = readOptions(options, SEAL_ONE_OPTIONS);
    return fromUtf8(
      await this.#calls.call('sealText', { text: bytes, ...sealOneParams(read) }, read),
    );
  }

  async openText(armored: unknown, options?: unknown): Promise<string> {
    const bytes = encodedText('armored', armored, MAX_ARMORED_BYTES, ARMORED_INSTEAD);
    const read = readOptions(options, OPEN_OPTIONS);
    const text = await this.#calls.call('openText', { armored: bytes, ...openParams(read) }, read);
    return decodedText(text);
  }

  async sealMany(items: unknown, options?: unknown): Promise<BatchResult<Uint8Array>[]> {
    const packed = packedItems('items', items, sourceOf, MAX_BATCH_PLAINTEXT_BYTES);
    const read = readOptions(options, SEAL_MANY_OPTIONS);
    const params = { items: packed, ...sealParams(read), ...contextsParam(read, packed) };
    return resultsOf(await this.#calls.call('sealMany', params, read), copied);
  }

  async openMany(items: unknown, options?: unknown): Promise<BatchResult<Uint8Array>[]> {
    const packed = packedItems('items', items, viewedBytes, MAX_BATCH_SEALED_BYTES);
    const read = readOptions(options, OPEN_MANY_OPTIONS);
    const params = { items: packed, ...openParams(read), ...contextsParam(read, packed) };
    return resultsOf(await this.#calls.call('openMany', params, read), copied);
  }

  async rewrapMany(items: unknown, options?: unknown): Promise<BatchResult<Uint8Array>[]> {
    const packed = packedItems('items', items, viewedBytes, MAX_BATCH_SEALED_BYTES);
    const read = readOptions(options, SEAL_MANY_OPTIONS);
    const params = { items: packed, ...sealParams(read), ...contextsParam(read, packed) };
    return resultsOf(await this.#calls.call('rewrapMany', params, read), copied);
  }

  async rewrap(sealed: unknown, options?: unknown): Promise<Uint8Array> {
    const bytes = copiedBytes('sealed', sealed, MAX_SEALED_BYTES);
    const read = readOptions(options, SEAL_OPTIONS);
    return await this.#calls.call('rewrap', { sealed: bytes, ...sealParams(read) }, read);
  }

  async mac(data: unknown, options?: unknown): Promise<Uint8Array> {
    const bytes = copiedBytes('data', data, MAX_PLAINTEXT_BYTES);
    const read = readOptions(options, KEY_OPTION);
    return await this.#calls.call('mac', { data: bytes, ...keyParam(read) }, read);
  }

  async verifyMac(data: unknown, tag: unknown, options?: unknown): Promise<boolean> {
    const bytes = copiedBytes('data', data, MAX_PLAINTEXT_BYTES);
    const proof = copiedBytes('tag', tag, MAX_PROOF_BYTES);
    const read = readOptions(options, KEY_OPTION);
    const params = { data: bytes, tag: proof, ...keyParam(read) };
    return await this.#calls.call('verifyMac', params, read);
  }

  async sign(data: unknown, options?: unknown): Promise<Uint8Array> {
    const bytes = copiedBytes('data', data, MAX_PLAINTEXT_BYTES);
    const read = readOptions(options, KEY_OPTION);
    return await this.#calls.call('sign', { data: bytes, ...keyParam(read) }, read);
  }

  async verify(data: unknown, signature: unknown, options?: unknown): Promise<boolean> {
    const bytes = copiedBytes('data', data, MAX_PLAINTEXT_BYTES);
    const params = { data: bytes, signature: signatureBytes(signature) };
    const read = readOptions(options, VERIFY_OPTIONS);
    if (read.publicKey === undefined) {
      return await this.#calls.call('verify', { ...params, ...keyParam(read) }, read);
    }
    if (read.key !== undefined) throw invalid('options', 'either key or publicKey');
    const name = 'options.publicKey';
    const publicKey = requiredText(name, read.publicKey, MAX_PUBLIC_KEY_CHARACTERS);
    return await this.#calls.call('verifyByPublicKey', { ...params, publicKey }, read);
  }

  async blindIndex(value: unknown, field: unknown, options?: unknown): Promise<Uint8Array> {
    const bytes = encodedText('value', value, MAX_INDEXED_BYTES);
    const name = requiredText('field', field, MAX_FIELD_CHARACTERS);
    const read = readOptions(options, INDEX_OPTIONS);
    const params = { value: bytes, field: name, ...keyParam(read), ...generationParam(read) };
    return await this.#calls.call('blindIndex', params, read);
  }

  async inspect(sealed: unknown): Promise<SealedInfo> {
    const params =
      typeof sealed === 'string'
        ? { armored: encodedText('sealed', sealed, MAX_ARMORED_BYTES) }
        : { sealed: copiedBytes('sealed', sealed, MAX_SEALED_BYTES) };
    return await this.#calls.call('inspect', params, readOptions(undefined, []));
  }

  /** The only synchronous method. @throws RangeError for arguments that have no sealed length */
  sealedLength(plaintextBytes: number, options?: unknown): number {
    return sealedLength(plaintextBytes, lengthOptions(options));
  }

  async sealBlob(plaintext: unknown, options?: unknown): Promise<Blob> {
    const blob = blobArgument('plaintext', plaintext, MAX_BLOB_BYTES, BLOB_INSTEAD);
    const read = readOptions(options, SEAL_ONE_OPTIONS);
    return await this.#calls.call('sealBlob', { blob, ...sealOneParams(read) }, read);
  }

  async openBlob(sealed: unknown, options?: unknown): Promise<Blob> {
    const blob = blobArgument('sealed', sealed, MAX_SEALED_BLOB_BYTES, SEALED_BLOB_INSTEAD);
    const read = readOptions(options, OPEN_OPTIONS);
    return await this.#calls.call('openBlob', { blob, ...openParams(read) }, read);
  }

  /** Wrong options make the stream fail, asynchronously like its other failures. */
  sealStream(options?: unknown): TransformStream<Uint8Array, Uint8Array> {
    return orFailed(() => {
      const read = readOptions(options, SEAL_ONE_OPTIONS);
      const params = sealOneParams(read);
      const begin = () => this.#calls.call('beginSealStream', params, NO_CONTROL);
      return contentStream({ begin, ...SEALING }, this.#calls, read);
    });
  }

  openStream(options?: unknown): TransformStream<Uint8Array, Uint8Array> {
    return orFailed(() => {
      const read = readOptions(options, OPEN_OPTIONS);
      const params = openParams(read);
      const begin = () => this.#calls.call('beginOpenStream', params, NO_CONTROL);
      return contentStream({ begin, ...OPENING }, this.#calls, read);
    });
  }
}

/** Those of EventTarget, taken off `sealwright`, would act on the window. */
const bindTo = bindsMethods(Sealwright.prototype, eventTargetMethods);
freeze(Sealwright);
freeze(Sealwright.prototype);

function orFailed(make: () => TransformStream<Uint8Array, Uint8Array>) {
  try {
    return make();
  } catch (error) {
    return failedStream(error);
  }
}

type Read<N extends string> = { readonly [K in N]?: unknown };

function sealParams(read: Read<(typeof SEAL_OPTIONS)[number]>) {
  const to = recipientTexts(read.to);
  const toSelf = optionalBoolean('options.toSelf', read.toSelf);
  const portable = optionalBoolean('options.portable', read.portable);
  const pad = optionalBoolean('options.pad', read.pad);
  const context = contextBytes(read.context);
  return {
    ...keyParam(read),
    ...(to && { to }),
    ...(toSelf !== undefined && { toSelf }),
    ...(portable !== undefined && { portable }),
    ...(pad !== undefined && { pad }),
    ...(context && { context }),
    ...epochsParam(read),
  };
}

function sealOneParams(read: Read<(typeof SEAL_ONE_OPTIONS)[number]>) {
  const decoy = optionalBoolean('options.decoy', read.decoy);
  return { ...sealParams(read), ...(decoy !== undefined && { decoy }) };
}

function isLarge(bytes: Uint8Array): boolean {
  return typedArrayParts.byteLength(bytes) >= IN_PLACE_BYTES;
}

/** A value that is too long for a signature becomes an empty one, which does not verify either. */
function signatureBytes(value: unknown): Uint8Array {
  const given = viewedBytes('signature', value);
  const fits = typedArrayParts.byteLength(given) <= MAX_PROOF_BYTES;
  return fits ? copiedBytes('signature', value, MAX_PROOF_BYTES) : new SafeUint8Array(0);
}

function generationParam({ generation }: Read<'generation'>) {
  if (generation === undefined) return {};
  if (!isSafeInteger(generation) || (generation as number) < 1) {
    throw invalid('options.generation', 'a whole number from 1');
  }
  return { generation: generation as number };
}

function openParams(read: Read<(typeof OPEN_OPTIONS)[number]>) {
  const wanted = acceptOption(read.accept);
  const bytes = contextBytes(read.context);
  return {
    ...(bytes && { context: bytes }),
    ...(wanted && { accept: wanted }),
    ...epochsParam(read),
  };
}

/** Epochs of groups, each read once. They are parsed where they are used. */
function epochsParam({ epochs }: Read<'epochs'>) {
  if (epochs === undefined) return {};
  const text = (name: string, item: unknown) => requiredText(name, item, MAX_EPOCHS_BYTES);
  return { epochs: packedTexts('options.epochs', epochs, text, MAX_EPOCHS_BYTES) };
}

function acceptOption(accept: unknown): 'own' | 'shared' | undefined {
  if (accept === undefined || accept === 'own' || accept === 'shared') return accept;
  throw invalid('options.accept', 'own or shared');
}

/** Public keys as text, each read once. They are parsed where they are used. */
function recipientTexts(to: unknown): string[] | undefined {
  return to === undefined ? undefined : checked(sealOptions.to, to, 'options.to');
}

function lengthOptions(options: unknown): LengthOptions {
  try {
    const { pad, to } = readOptions(options, ['pad', 'to']);
    const texts = recipientTexts(to);
    return {
      pad: optionalBoolean('options.pad', pad),
      ...(texts && { recipientsBytes: recipientsBytes(texts) }),
    };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const message = error instanceof SealwrightError ? error.message : 'options: unreadable';
    throw new RangeError(message, { cause: error });
  }
}

/** @throws SealwrightError BAD_ENVELOPE for bytes that are not UTF-8: a message need not be text */
function decodedText(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    throw new SealwrightError('BAD_ENVELOPE', 'The message was opened, but it is not text');
  }
}

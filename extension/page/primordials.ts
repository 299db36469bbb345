/*
 * Further built-ins as they were before the page's first script, for the page's script only.
 * src/rpc/primordials.ts has the reasons.
 */
import { defineProperty, freeze, uncurry } from '../../src/rpc/primordials.ts';
/* eslint-disable @typescript-eslint/unbound-method -- taking methods off their objects is this file's work */

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

function getter(prototype: object, name: string): ((self: unknown) => unknown) | undefined {
  const get = getOwnPropertyDescriptor(prototype, name)?.get;
  return get && uncurry(get as (this: unknown) => unknown);
}

const TypedArray = getPrototypeOf(Uint8Array.prototype) as typeof Uint8Array.prototype;
type SetBytes = (to: Uint8Array, from: Uint8Array, offset?: number) => void;
export const setBytes = uncurry(TypedArray.set) as SetBytes;

type NumberOf = (self: unknown) => number;
type BufferOf = (self: unknown) => ArrayBuffer;
export const isView = ArrayBuffer.isView;
export const typedArrayParts = {
  buffer: getter(TypedArray, 'buffer') as BufferOf,
  byteOffset: getter(TypedArray, 'byteOffset') as NumberOf,
  byteLength: getter(TypedArray, 'byteLength') as NumberOf,
};
export const dataViewParts = {
  buffer: getter(DataView.prototype, 'buffer') as BufferOf,
  byteOffset: getter(DataView.prototype, 'byteOffset') as NumberOf,
  byteLength: getter(DataView.prototype, 'byteLength') as NumberOf,
};
/** Missing in browsers without resizable buffers. */
export const bufferIsResizable = getter(ArrayBuffer.prototype, 'resizable');

/** Throws for everything that is not an AbortSignal. */
export const isAborted = getter(AbortSignal.prototype, 'aborted') as (signal: unknown) => boolean;

/** The built-in `bind`: what it returns calls no method that a page can replace. */
export const boundTo = uncurry(Function.prototype.bind) as (
  method: (...args: never[]) => unknown,
  self: object,
) => (...args: never[]) => unknown;

type Listener = (event: Event) => void;
type Listening = (target: EventTarget, type: string, listener: Listener) => void;
export const listen: Listening = uncurry(EventTarget.prototype.addEventListener);
export const unlisten: Listening = uncurry(EventTarget.prototype.removeEventListener);
export const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
export const SafeEventTarget = EventTarget;
const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
export const eventTargetMethods = { addEventListener, removeEventListener, dispatchEvent };
export const SafeEvent = Event;
export const SafeCustomEvent = CustomEvent;
export const SafeDOMException = DOMException;
export const SafeTypeError = TypeError;
export const SafeBigInt = BigInt;
export const SafeString = String;

/** A WeakMap whose methods are those of WeakMap.prototype as they were at load. */
export class SafeWeakMap<K extends WeakKey, V> extends WeakMap<K, V> {}
for (const name of ['get', 'set'] as const) {
  defineProperty(SafeWeakMap.prototype, name, { value: WeakMap.prototype[name] });
}
freeze(SafeWeakMap.prototype);

export const SafeReadableStream = ReadableStream;
export const SafeWritableStream = WritableStream;
export const transformStreamPrototype: object = TransformStream.prototype;
type ReadController = ReadableStreamDefaultController<Uint8Array>;
const { enqueue, error, close } = ReadableStreamDefaultController.prototype;
interface ReadControls {
  readonly desiredSize: (controller: ReadController) => number | null;
  readonly enqueue: (controller: ReadController, bytes: Uint8Array) => void;
  readonly error: (controller: ReadController, reason: unknown) => void;
  readonly close: (controller: ReadController) => void;
}
export const readController: ReadControls = {
  desiredSize: getter(
    ReadableStreamDefaultController.prototype,
    'desiredSize',
  ) as ReadControls['desiredSize'],
  enqueue: uncurry(enqueue),
  error: uncurry(error),
  close: uncurry(close),
};
type FailWriting = (controller: WritableStreamDefaultController, reason: unknown) => void;
export const failWriting: FailWriting = uncurry(WritableStreamDefaultController.prototype.error);

/** Calls back when an object of the page was collected. The callback must not refer to that object. */
export const SafeFinalizationRegistry = FinalizationRegistry<() => void>;
type Registry = FinalizationRegistry<() => void>;
const { register, unregister } = FinalizationRegistry.prototype as Registry;
export const gone = {
  register: uncurry(register) as (
    to: Registry,
    target: object,
    held: () => void,
    token: object,
  ) => void,
  unregister: uncurry(unregister) as (from: Registry, token: object) => boolean,
};
export const SafeMessageChannel = MessageChannel;

const encode = uncurry(TextEncoder.prototype.encode);
const decode = uncurry(TextDecoder.prototype.decode);
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
export const utf8 = (text: string): Uint8Array => encode(encoder, text);
/** Throws a TypeError for bytes that are not UTF-8. */
export const fromUtf8 = (bytes: Uint8Array): string => decode(decoder, bytes);

export const { parse } = JSON;

export const ownCrypto = crypto;
// Of the object and not of its class: a simulated page, such as happy-dom's, has no global `Crypto`.
export const randomUUID = uncurry(ownCrypto.randomUUID);

const { setTimeout, clearTimeout } = globalThis;
export const timers = {
  start: (work: () => void, delayMs: number): unknown => setTimeout(work, delayMs),
  stop: (timer: unknown): void => clearTimeout(timer as number),
};

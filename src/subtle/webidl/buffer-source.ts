/**
 * BufferSource arguments: ArrayBuffers and views of them. The buffer's bytes outside of a view are
 * neither read nor written.
 */

export function isBufferSource(value: unknown): value is BufferSource {
  return ArrayBuffer.isView(value) || isBuffer(value);
}

/**
 * Checks an argument when its turn comes. The bytes are copied when the result is called, which is after the algorithm
 * was read: "get a copy of the bytes held by the buffer source". There are none if the buffer has been transferred.
 *
 * @throws TypeError if it is no BufferSource, or its buffer is shared or resizable
 */
export function toBufferSource(what: string, value: unknown): () => Uint8Array<ArrayBuffer> {
  bufferOf(what, value);
  return () => copyBytes(what, value);
}

/** A copy, made at call time: what the caller does to the bytes afterwards changes nothing. @throws TypeError */
export function copyBytes(what: string, value: unknown): Uint8Array<ArrayBuffer> {
  return isDetached(bufferOf(what, value)) ? new Uint8Array(0) : viewBytes(what, value).slice();
}

/** The bytes themselves, for work in place. @throws TypeError, also if the buffer is detached */
export function viewBytes(what: string, value: unknown): Uint8Array<ArrayBuffer> {
  const buffer = bufferOf(what, value);
  if (isDetached(buffer)) throw new TypeError(`${what} is detached`);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(buffer);
}

/** Web IDL: neither [AllowShared] nor [AllowResizable]. */
function bufferOf(what: string, value: unknown): ArrayBuffer {
  if (!isBufferSource(value)) {
    throw new TypeError(`${what} must be an ArrayBuffer or a view of one`);
  }
  const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
  if (!isBuffer(buffer)) throw new TypeError(`${what} must not be in shared memory`);
  if ((buffer as { resizable?: boolean }).resizable === true) {
    throw new TypeError(`${what} must not be resizable`);
  }
  return buffer;
}

/** Whether it is an ArrayBuffer of any realm: only one has the slot that this getter reads. */
function isBuffer(value: unknown): value is ArrayBuffer {
  try {
    Reflect.get(ArrayBuffer.prototype, 'byteLength', value);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** A view of a detached buffer cannot be made. */
function isDetached(buffer: ArrayBuffer): boolean {
  try {
    return new Uint8Array(buffer).length < 0;
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
}

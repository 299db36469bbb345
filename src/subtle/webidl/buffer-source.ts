/**
 * BufferSource arguments: ArrayBuffers and views of them. The buffer's bytes outside of a view are
 * neither read nor written.
 */

export function isBufferSource(value: unknown): value is BufferSource {
  return ArrayBuffer.isView(value) || isBuffer(value);
}

/**
 * A copy, made at call time: what the caller does to the bytes afterwards changes nothing.
 *
 * @throws TypeError if it is no BufferSource, or its buffer is shared, resizable or detached
 */
export function copyBytes(what: string, value: unknown): Uint8Array<ArrayBuffer> {
  return viewBytes(what, value).slice();
}

/** The bytes themselves, under the same conditions; for work in place. */
export function viewBytes(what: string, value: unknown): Uint8Array<ArrayBuffer> {
  if (!isBufferSource(value)) {
    throw new TypeError(`${what} must be an ArrayBuffer or a view of one`);
  }
  const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
  checkBuffer(what, buffer);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(buffer);
}

/**
 * Web IDL: neither [AllowShared] nor [AllowResizable]. Web IDL takes a detached buffer for an empty one;
 * here it is refused, because the caller certainly meant to pass bytes.
 */
function checkBuffer(what: string, buffer: ArrayBufferLike): asserts buffer is ArrayBuffer {
  if (!isBuffer(buffer)) throw new TypeError(`${what} must not be in shared memory`);
  if ((buffer as { resizable?: boolean }).resizable === true) {
    throw new TypeError(`${what} must not be resizable`);
  }
  if (isDetached(buffer)) throw new TypeError(`${what} is detached`);
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

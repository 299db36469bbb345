export function signedCrx(zip: Uint8Array, key: string): Buffer;

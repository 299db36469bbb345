/**
 * Crypto++'s text vectors of stream ciphers: fields hold until they are given anew, and each line
 * "Test:" is one vector of what holds then. Bytes may be written "r16 00ff", a repetition.
 */
import type { Fields } from '../vectors.ts';

/** @param name the algorithm; a file may have several */
export function parseCryptopp(name: string): (text: string) => Fields[] {
  return (text) => {
    const vectors: Fields[] = [];
    let held: Record<string, string> = {};
    for (const line of text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
      const [, field = '', value = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
      if (field === 'AlgorithmType') held = {};
      held[field.toLowerCase()] = value;
      if (field === 'Test' && held['name'] === name) vectors.push({ ...held });
    }
    return vectors;
  };
}

/** A field of bytes, repetitions written out. */
export function cryptoppBytes(vector: Fields, field: string): Uint8Array<ArrayBuffer> {
  const [, count = '1', digits = ''] = /^(?:r(\d+) )?([0-9a-f\s]+)$/i.exec(vector[field] ?? '')!;
  const once = Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
  return Uint8Array.from(Buffer.concat(Array<Buffer>(Number(count)).fill(once)));
}

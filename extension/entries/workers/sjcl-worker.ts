/*
 * Entry: a worker that opens one SJCL message. A message may demand ten million rounds of PBKDF2 or
 * megabytes of CCM: in a worker that blocks nothing and can be terminated.
 */
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { openSjclJson, type DeriveSjclKey } from '../../../src/crypto/legacy/sjcl-json.ts';
import { nativePbkdf2 } from '../../../src/engine/native/kdfs.ts';
import {
  serveOrders,
  type SjclAnswer,
  type SjclOrder,
} from '../../platform/workers/worker-channel.ts';

const derive: DeriveSjclKey = (password, salt, iterations, lengthBytes) =>
  nativePbkdf2(password, { hash: 'SHA-256', salt, iterations }, lengthBytes);

async function answerTo({ password, text }: SjclOrder): Promise<SjclAnswer> {
  try {
    return await openSjclJson(password, text, derive);
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error('unknown');
    return { wrong: wrongIn(error), message };
  }
}

function wrongIn(error: unknown): 'text' | 'bounds' | 'password' | 'other' {
  if (error instanceof AuthenticationError) return 'password';
  if (error instanceof RangeError) return 'bounds';
  return error instanceof TypeError ? 'text' : 'other';
}

serveOrders<{ order: SjclOrder; answer: SjclAnswer }>(answerTo);

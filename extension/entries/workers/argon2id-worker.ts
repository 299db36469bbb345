/*
 * Entry: one derivation of Argon2id in a worker of its own, so that nothing waits for it, it can be
 * ended in the middle, and its memory is given back after it.
 */
import { wipe } from '../../../src/crypto/bytes.ts';
import { argon2id } from '../../../src/engine/argon2id/argon2id.ts';
import {
  serveOrders,
  type Argon2idAnswer,
  type Argon2idOrder,
} from '../../platform/workers/worker-channel.ts';
import { packagedArgon2id } from '../../platform/workers/argon2-wasm.ts';

/** Beside this script: in Chromium a worker has no extension API to ask. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;
const derive = argon2id(packagedArgon2id(getUrl));

async function answerTo({ passphrase, salt, cost }: Argon2idOrder): Promise<Argon2idAnswer> {
  try {
    return { key: await derive(passphrase, salt, cost) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown');
    return { name, message };
  } finally {
    wipe(passphrase);
  }
}

serveOrders<{ order: Argon2idOrder; answer: Argon2idAnswer }>(answerTo);

/*
 * Entry: a worker that handles one age file. The age library is loaded here only: for a backup to a
 * recipient, for a file to open, or for an identity to import.
 */
import { wipe } from '../../../src/crypto/bytes.ts';
import { VaultError } from '../../../src/keys/vault/errors.ts';
import { ageFiles } from '../../platform/workers/age-files.ts';
import {
  serveOrders,
  type AgeAnswer,
  type AgeOrder,
} from '../../platform/workers/worker-channel.ts';

async function answerTo(order: AgeOrder): Promise<AgeAnswer> {
  try {
    if ('open' in order) {
      return { bytes: (await ageFiles.open(order.open, order.secrets)) ?? null };
    }
    if ('recipientsOf' in order) {
      return { recipients: await ageFiles.recipientsOf(order.recipientsOf) };
    }
    return { bytes: await ageFiles.seal(order.seal, order.recipients) };
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error('unknown');
    if (error instanceof RangeError) return { wrong: 'argument', message };
    return { wrong: error instanceof VaultError ? 'file' : 'other', message };
  } finally {
    if ('seal' in order) wipe(order.seal);
  }
}

serveOrders<{ order: AgeOrder; answer: AgeAnswer }>(answerTo);

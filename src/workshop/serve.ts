import { wipe } from '../crypto/bytes.ts';
import {
  WORKSHOP_ERRORS,
  type Operation,
  type WorkshopMessage,
  type WorkshopRequest,
} from '../rpc/workshop.ts';
import { SELF_TEST_ROWS } from '../rpc/self-test-rows.ts';
import { WORKSHOP_METHODS } from '../rpc/workshop-methods.ts';
import type { Perform } from './contract.ts';

const ROWS = { ...WORKSHOP_METHODS, ...SELF_TEST_ROWS };

/** Serves calls on a port, one after another as they come. */
export function serve(port: MessagePort, perform: Perform): void {
  const say = (message: WorkshopMessage): void => port.postMessage(message);
  port.addEventListener('message', ({ data }: MessageEvent<WorkshopRequest>) => {
    void answerTo(data, perform, say).then(say);
  });
  port.start();
  say({ type: 'ready' });
}

async function answerTo(
  { operation, secrets, params }: WorkshopRequest,
  perform: Perform,
  say: (message: WorkshopMessage) => void,
): Promise<WorkshopMessage> {
  try {
    const row = ROWS[operation as Operation];
    const input = {
      secrets: row.secrets(secrets, 'secrets'),
      params: row.params(params, 'params'),
    } as never;
    const report = (event: unknown): void => say({ type: 'progress', event });
    return { type: 'value', value: await perform(operation as Operation, input, report) };
  } catch (error) {
    return failureOf(error);
  } finally {
    wipeAll(secrets);
  }
}

/** Errors cross by name and message. Of one that no caller expects the message has the name. */
function failureOf(error: unknown): WorkshopMessage {
  const { name, message } = error instanceof Error ? error : new Error('unknown');
  const known = WORKSHOP_ERRORS.find((one) => one === name);
  // JavaScript has a SyntaxError of its own.
  if (known !== undefined && !(error instanceof SyntaxError)) {
    return { type: 'error', name: known, message };
  }
  return { type: 'error', name: 'Failed', message: `${name}: ${message}` };
}

/** A worker keeps nothing of a call. Strings cannot be wiped in JavaScript. */
function wipeAll(secrets: unknown): void {
  if (secrets instanceof Uint8Array) wipe(secrets);
  else if (typeof secrets === 'object') Object.values(secrets ?? {}).forEach(wipeAll);
}

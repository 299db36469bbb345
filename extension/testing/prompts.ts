/* Prompts and the user who answers them by script, in `sealwright/testing` and in the test zip. */
import type { Capability } from '../../src/client/page-api.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../src/rpc/methods/methods.ts';
import type { TestAnswer, TestPrompt } from './answers.ts';
import type { UserClient } from './background.ts';

/** Who answers a prompt, and what it takes. */
export interface PromptUser {
  readonly user: UserClient;
  /** What the user answers to what is shown. */
  readonly answers: (prompt: TestPrompt) => OneAnswer | Promise<OneAnswer>;
  readonly unlock: () => Promise<void>;
  /** Closes the prompt without an answer. */
  readonly close: () => Promise<void>;
}

type OneAnswer = TestAnswer | 'allow' | 'deny' | 'close';

/**
 * Answers a prompt as its window does: an answer that allows unlocks the vault first.
 *
 * @throws the errors of `answers` and of the background
 */
export async function answerPrompt(
  promptId: string,
  { user, answers, unlock, close }: PromptUser,
): Promise<void> {
  const prompt = await openPrompt(user, promptId);
  if (prompt === undefined) return;
  const said = await answers(shownPrompt(prompt));
  if (said === 'close') return close();
  const answer = typeof said === 'string' ? { allow: said === 'allow' } : said;
  // A prompt over a locked vault asks for the passphrase first.
  if (answer.allow && prompt.vault === 'locked') await unlock();
  const keys = prompt.vault === 'locked' ? await openPrompt(user, promptId) : prompt;
  if (keys === undefined) return;
  const params = { promptId, ...answer, ...chosenKey(answer, keys) };
  await user.call('ui.answerPrompt', params as ParamsOf<'ui.answerPrompt'>);
}

/**
 * The prompt, unless it is closed: the app may have given its request up, and once the vault is unlocked a grant that
 * covers the request answers it.
 */
async function openPrompt(
  user: UserClient,
  promptId: string,
): Promise<ResultOf<'ui.prompt'> | undefined> {
  try {
    return await user.call('ui.prompt', { promptId });
  } catch (error) {
    if (error instanceof SealwrightError && error.code === 'INVALID_ARGUMENT') return undefined;
    throw error;
  }
}

function shownPrompt(prompt: ResultOf<'ui.prompt'>): TestPrompt {
  const { origin, purpose, capabilities, key, keys, rotates, expiresInMs, maxUses } = prompt;
  const { maxPerHour, bulk } = prompt;
  return Object.freeze({
    origin,
    purpose,
    rotates,
    expiresInMs,
    maxUses,
    maxPerHour,
    bulk,
    key,
    capabilities: capabilities as readonly Capability[],
    keys: keys.map(({ ref, label }) => ({ ref, label })),
  });
}

/** A user who allows a kind of key without picking one takes the first, or makes one. */
function chosenKey(
  answer: TestAnswer,
  { key, keys, rotates }: ResultOf<'ui.prompt'>,
): Partial<ParamsOf<'ui.answerPrompt'>> {
  const isPicked = answer.ref !== undefined || answer.newKeyLabel !== undefined;
  if (key === 'app' || rotates || isPicked || !answer.allow) return {};
  return keys[0] ? { ref: keys[0].ref } : { newKeyLabel: key.label ?? `Key for ${key.kind}` };
}

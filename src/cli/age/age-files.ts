/* `sealwright open` and `seal` with whole files of age (age-encryption.org/v1). */
import { utf8, wipe } from '../../crypto/bytes.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import {
  ageIdentityKey,
  ageRecipientKey,
  mixesRecipients,
  type AgeKey,
} from '../../format/recipients/age-text.ts';
import { NATIVE_RANDOM } from '../../format/native-crypto.ts';
import { ONE_SHOT_BYTES_MAX } from '../../format/wire/limits.ts';
import { recipientTypeOf } from '../../format/wire/recipient-table.ts';
import { ageLines } from '../../keys/ring/age.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf, piecesOf, textFile } from '../input.ts';
import type { StandardInput } from '../input.ts';
import { firstLineOf, readIdentities } from '../key-source.ts';
import type { KeySource, PlacedText } from '../key-source.ts';
import { fileTarget, passingTarget, printTarget } from '../message-target.ts';
import type { Printer } from '../message-target.ts';
import {
  isUnderPassphrase,
  makeAgeHeader,
  openFileKey,
  type AgeHeader,
  type AgeSecret,
} from './age-header.ts';
import { armoringAge, openedAge, readAgeFile, sealedAge } from './age-payload.ts';

/** Where the result goes. */
interface Written {
  readonly out: string | undefined;
  readonly force: boolean;
}

/**
 * Opens a file of age. It gets its name, or is printed, after its last chunk has verified.
 *
 * @throws CommandError, EnvelopeError
 */
export async function openAgeFile(
  source: KeySource,
  pieces: AsyncIterable<Uint8Array>,
  { out, force }: Written,
  printer: Printer,
  standardInput: StandardInput,
): Promise<void> {
  const file = await readAgeFile(pieces);
  const secrets = await secretsOf(source, file.header, standardInput);
  try {
    const fileKey = await openFileKey(file.header, secrets);
    const target =
      out === undefined
        ? printTarget(printer, 2 * ONE_SHOT_BYTES_MAX, force)
        : await fileTarget(out, force, 0o600);
    try {
      let bytes = 0;
      for await (const part of openedAge(file, fileKey)) {
        bytes += part.length;
        await target.write(part);
      }
      await target.publish(bytes);
    } finally {
      await target.discard();
    }
  } catch (error) {
    if (!isAuthenticationError(error)) throw error;
    const words = 'Cannot open: the age file is for another key or passphrase, or it was altered';
    throw new CommandError(EXIT.notVerified, words);
  } finally {
    for (const secret of secrets) wipe('key' in secret ? secret.key : secret.passphrase);
  }
}

async function secretsOf(
  source: KeySource,
  header: AgeHeader,
  standardInput: StandardInput,
): Promise<readonly AgeSecret[]> {
  const isUnder = isUnderPassphrase(header);
  if ('messagePassphraseFile' in source) {
    if (isUnder) {
      return [{ passphrase: utf8(await firstLineOf(source.messagePassphraseFile, standardInput)) }];
    }
    const words =
      'This age file was not sealed with a passphrase: give the key with --identity FILE';
    throw new CommandError(EXIT.usage, words);
  }
  if (isUnder) {
    const words = 'This age file was sealed with a passphrase: give it with --passphrase-file FILE';
    throw new CommandError(EXIT.usage, words);
  }
  if ('identityFile' in source) return identitiesIn(source.identityFile, standardInput);
  // The seed of an X-Wing sharing key is that of its "age1pq1…" form.
  const identities = await readIdentities(source, new Uint8Array(16), standardInput);
  return identities.flatMap(({ type, key }) => {
    const isHybrid = type === HYBRID_TYPE;
    if (!isHybrid) wipe(key);
    return isHybrid ? [{ type: 'X-Wing', key }] : [];
  });
}

const HYBRID_TYPE = recipientTypeOf('X-Wing');

async function identitiesIn(path: string, standardInput: StandardInput): Promise<AgeKey[]> {
  const lines = ageLines(await textFile(path, standardInput));
  if (lines.length === 0) throw notIdentities(path);
  return lines.map((line) => {
    const key = ageIdentityKey(line);
    if (key) return key;
    throw notIdentities(path);
  });
}

/** Quotes nothing of the file. */
const notIdentities = (path: string) =>
  new CommandError(
    EXIT.badInput,
    `${nameOf(path)} does not hold identities of age, one in each line`,
  );

/** What is sealed, and how. */
interface AgeSealing extends Written {
  readonly file: string;
  readonly armor: boolean;
}

/**
 * Seals a file to recipients of age. It says nothing of its name, and is made in pieces.
 *
 * @throws CommandError; RangeError for a public key of the right length that is not one
 */
export async function sealAgeFile(
  { file, out, force, armor }: AgeSealing,
  recipients: readonly PlacedText[],
  printer: Printer,
  standardInput: StandardInput,
): Promise<void> {
  const keys = recipients.map(([place, text]) => {
    const key = ageRecipientKey(text);
    if (key) return key;
    const words = `${place}: not a recipient of age, "age1…" or "age1pq1…"; others need a file of their own`;
    throw new CommandError(EXIT.badInput, words);
  });
  if (mixesRecipients(recipients.map(([, text]) => text))) {
    const words =
      'Recipients "age1pq1…" are not mixed with others, which would undo what they are for';
    throw new CommandError(EXIT.usage, words);
  }
  const { header, fileKey } = await makeAgeHeader(keys);
  const target = out === undefined ? passingTarget(printer) : await fileTarget(out, force, 0o666);
  try {
    const written = armor ? armoringAge(target) : target;
    const nonce = NATIVE_RANDOM.bytes(16);
    let bytes = 0;
    for await (const part of sealedAge(header, fileKey, nonce, piecesOf(file, standardInput))) {
      bytes += part.length;
      await written.write(part);
    }
    await written.publish(bytes);
  } finally {
    wipe(fileKey);
    await target.discard();
  }
}

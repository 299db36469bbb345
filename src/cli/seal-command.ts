/*
 * `sealwright seal`: seals a file to public keys and groups, under a named key, or both, or with a passphrase. Streams are sealed in pieces;
 * messages of other purposes are read whole, because their length decides the suite.
 */
import { basename } from 'node:path';
import { concat, utf8, wipe, writeBase64url } from '../crypto/bytes.ts';
import { EnvelopeError } from '../format/errors.ts';
import { GROUP_ID_PREFIX } from '../format/groups/group-id.ts';
import type { Recipient } from '../format/keys/data-key.ts';
import type { BeginSealOptions } from '../format/plans/seal-plan.ts';
import { ONE_SHOT_BYTES_MAX, RECIPIENTS_MAX } from '../format/wire/limits.ts';
import { sealMessage } from '../format/message.ts';
import { sealingAttributes } from '../format/recipients/attributes.ts';
import type { AttributesSealing } from '../format/recipients/recipient-type.ts';
import { PASSPHRASE_RECIPIENT } from '../format/recipients/passphrase.ts';
import { SHARING_TYPES, recipientOf } from '../format/recipients/sharing.ts';
import { GROUP_RECIPIENT, NAMED_KEY_RECIPIENT } from '../format/wire/recipient-table.ts';
import { streamSealer } from '../format/streams.ts';
import { ARMOR_PREFIX } from '../format/wire/armor.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { STANDARD, nameOf, piecesOf, wholeFile } from './input.ts';
import type { StandardInput } from './input.ts';
import { groupWith, inPlace, readGroupFiles } from './groups/epoch-files.ts';
import type { EpochSource } from './groups/epoch-files.ts';
import { memberOf } from './groups/group-command.ts';
import { sealAgeFile } from './age/age-files.ts';
import {
  AGE_RECIPIENT_PREFIX,
  passphraseRecipientOf,
  publicKeysOf,
  readKeyFile,
} from './key-source.ts';
import type { PlacedText } from './key-source.ts';
import { fileTarget, passingTarget } from './message-target.ts';
import type { MessageTarget, Printer } from './message-target.ts';

/** The parameters of `sealwright seal`. */
export interface SealArguments extends EpochSource {
  readonly file: string;
  /** Public keys, groups' ids, or files with one in each line. */
  readonly to: readonly string[];
  /** Of a named key, which opens the message too; with a group, of the identity of a member. */
  readonly keyFile: string | undefined;
  /** Not with `to` or `keyFile`. */
  readonly passphraseFile: string | undefined;
  readonly purpose: 'field' | 'page' | 'stream';
  readonly pad: boolean | undefined;
  /** Whether text is written. */
  readonly armor: boolean;
  /** Serialised origin. */
  readonly origin: string | undefined;
  readonly associatedData: Uint8Array;
  readonly out: string | undefined;
  readonly force: boolean;
}

/**
 * Seals a file.
 *
 * @param printer receives the sealed message if there is no --out
 * @throws CommandError, EnvelopeError
 */
export async function sealCommand(
  parameters: SealArguments,
  printer: Printer,
  standardInput: StandardInput,
): Promise<void> {
  const { out, force, armor } = parameters;
  if (out === undefined && printer.isTerminal && !armor && !force) {
    const words = 'A sealed message is not text: give --armor, or --out FILE';
    throw new CommandError(EXIT.usage, words);
  }
  const shown = await publicKeysOf('--to', parameters.to, standardInput);
  if (shown.some(([, text]) => isAgeText(text))) {
    return sealAge(parameters, shown, printer, standardInput).catch(inKeyWords);
  }
  const options = await sealingOptions(parameters, shown, standardInput);
  const target = out === undefined ? passingTarget(printer) : await fileTarget(out, force, 0o666);
  try {
    const written = armor ? armoring(target) : target;
    const sealed = sealedParts(parameters, options, standardInput);
    let bytes = 0;
    for await (const part of sealed) {
      bytes += part.length;
      await written.write(part);
    }
    await written.publish(bytes);
  } catch (error) {
    inKeyWords(error);
  } finally {
    if (options.key) wipe(options.key);
    for (const { type, key } of options.recipients ?? []) {
      if (SECRETS.includes(type)) wipe(key);
    }
    await target.discard();
  }
}

/** A key of the right length that is not a key: a point of low order, or a coefficient that is too large. */
function inKeyWords(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  throw new CommandError(EXIT.badInput, `A public key is not valid: ${error.message}`);
}

const isAgeText = (text: string): boolean => text.startsWith(AGE_RECIPIENT_PREFIX);

async function sealAge(
  parameters: SealArguments,
  shown: readonly PlacedText[],
  printer: Printer,
  standardInput: StandardInput,
): Promise<void> {
  const { keyFile, purpose, pad, origin, associatedData } = parameters;
  const isPlain = purpose === 'stream' && pad === undefined && origin === undefined;
  if (keyFile !== undefined || !isPlain || associatedData.length > 0) {
    const words = 'A file of age takes neither a key file nor a site, context, purpose or padding';
    throw new CommandError(EXIT.usage, words);
  }
  return sealAgeFile(parameters, shown, printer, standardInput);
}

/** Types whose recipients are secrets, not public keys. */
const SECRETS: readonly number[] = [NAMED_KEY_RECIPIENT, PASSPHRASE_RECIPIENT, GROUP_RECIPIENT];

async function sealingOptions(
  parameters: SealArguments,
  shown: readonly PlacedText[],
  standardInput: StandardInput,
): Promise<BeginSealOptions> {
  const { file, to, keyFile, passphraseFile, purpose, pad, origin, associatedData } = parameters;
  const common = { purpose, pad, origin, associatedData, recipientTypes: SHARING_TYPES };
  const attributesFor = (recipients: readonly Recipient[]) =>
    purpose === 'stream' ? attributesOf(file, recipients.length) : undefined;
  if (passphraseFile !== undefined) {
    const recipients = [await passphraseRecipientOf(passphraseFile, standardInput)];
    return { ...common, recipients, attributes: attributesFor(recipients) };
  }
  if (shown.some(([, text]) => text.startsWith(GROUP_ID_PREFIX))) {
    const recipients = await recipientsWithGroups(shown, parameters, standardInput);
    return { ...common, recipients, attributes: attributesFor(recipients) };
  }
  const named = keyFile === undefined ? undefined : await namedKeyOf(keyFile, standardInput);
  if (to.length === 0) return { ...common, ...named };
  const own: Recipient[] = named ? [{ type: NAMED_KEY_RECIPIENT, key: named.key }] : [];
  const recipients = [...recipientsOf(shown), ...own];
  const keyId = named?.keyId;
  return { ...common, keyId, recipients, attributes: attributesFor(recipients) };
}

/** The name of the file, for its recipients. Their sixteenth place is for them. */
function attributesOf(path: string, recipients: number): AttributesSealing | undefined {
  if (path === STANDARD || recipients === RECIPIENTS_MAX) return undefined;
  const name = basename(path);
  return sealingAttributes({ file: { name, type: '' }, statics: [], digest: new Uint8Array(0) });
}

async function namedKeyOf(
  path: string,
  standardInput: StandardInput,
): Promise<{ readonly key: Uint8Array; readonly keyId: Uint8Array }> {
  const { key, keyId, algorithm } = await readKeyFile(path, standardInput);
  if (algorithm !== undefined) {
    const words = `${nameOf(path)} holds an identity: seal to its public key with --to`;
    throw new CommandError(EXIT.badInput, words);
  }
  if (keyId !== undefined) return { key, keyId };
  throw new CommandError(EXIT.badInput, `${nameOf(path)} has no "keyId", which sealing needs`);
}

/** Of whom some are groups: the key file has the identity of one of their members, who seals. */
async function recipientsWithGroups(
  shown: readonly PlacedText[],
  { keyFile, ...source }: SealArguments,
  standardInput: StandardInput,
): Promise<Recipient[]> {
  if (keyFile === undefined) {
    const words = 'Only members seal to a group: give the identity of one with --key-file FILE';
    throw new CommandError(EXIT.usage, words);
  }
  const files = await readGroupFiles(source, standardInput);
  const member = await memberOf(keyFile, standardInput);
  try {
    const recipients: Recipient[] = [];
    for (const each of shown) {
      const [, text] = each;
      if (!text.startsWith(GROUP_ID_PREFIX)) recipients.push(...recipientsOf([each]));
      else {
        const group = await groupWith(text, files, [member], source);
        recipients.push(...(await inPlace(`Group ${text}`, () => group.recipients())));
      }
    }
    return recipients;
  } finally {
    wipe(member.key);
  }
}

function recipientsOf(keys: readonly PlacedText[]): Recipient[] {
  return keys.map(([place, text]) => {
    try {
      return recipientOf(text, place);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new CommandError(EXIT.badInput, error.message);
    }
  });
}

async function* sealedParts(
  { file, purpose }: SealArguments,
  options: BeginSealOptions,
  standardInput: StandardInput,
): AsyncGenerator<Uint8Array, undefined> {
  if (purpose === 'stream') {
    const { prefix, sealer } = await streamSealer(options);
    yield prefix;
    for await (const piece of piecesOf(file, standardInput)) yield await sealer.add(piece);
    yield* sealer.end();
    return;
  }
  const tooLarge = (): EnvelopeError =>
    new EnvelopeError('TOO_LARGE', 'More than 64 MiB need the purpose stream');
  const message = await wholeFile(file, ONE_SHOT_BYTES_MAX, standardInput, tooLarge);
  yield await sealMessage(options, message);
}

/** Writes the parts as one armored text with a line end. */
function armoring(target: MessageTarget): MessageTarget {
  let rest = new Uint8Array(0);
  let characters = 0;
  const write = async (text: Uint8Array): Promise<void> => {
    characters += text.length;
    await target.write(text);
  };
  return {
    async write(part) {
      if (characters === 0) await write(utf8(ARMOR_PREFIX));
      const bytes = concat(rest, part);
      const whole = bytes.length - (bytes.length % 3);
      rest = bytes.slice(whole);
      await write(base64urlBytes(bytes.subarray(0, whole)));
    },
    async publish() {
      await write(concat(base64urlBytes(rest), utf8('\n')));
      await target.publish(characters);
    },
    discard: () => target.discard(),
  };
}

function base64urlBytes(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  writeBase64url(bytes, text, 0);
  return text;
}

/*
 * `sealwright open`: the offline decryptor. It reads the file chunk by chunk and writes to a temporary
 * file beside the target. This file gets the target's name after the last chunk has verified. Without
 * --out the message is printed to standard output, also only then.
 */
import { wipe } from '../crypto/bytes.ts';
import { beginOpenStream } from '../format/plans/open-plan.ts';
import type { BeginOpenOptions, StreamOpenPlan } from '../format/plans/open-plan.ts';
import { wipeChunkKeys } from '../format/keys/chunk-keys.ts';
import { ChunkCutter, ChunkOpener } from '../format/chunks/chunks.ts';
import { MessageDigest } from '../format/chunks/message-digest.ts';
import { openDataKey, type Identity } from '../format/keys/data-key.ts';
import { parseEnvelope, parsePrefix } from '../format/wire/envelope.ts';
import type { Prefix } from '../format/wire/envelope.ts';
import { ONE_SHOT_BYTES_MAX } from '../format/wire/limits.ts';
import { NATIVE_CRYPTO } from '../format/native-crypto.ts';
import { PaddingFilter } from '../format/wire/padding-filter.ts';
import { PaddingReader } from '../format/wire/padding.ts';
import { chunkSuite, type Purpose } from '../format/wire/header.ts';
import { safeFileName } from '../format/file-name.ts';
import { openAttributes, signatureOf, type Attributes } from '../format/recipients/attributes.ts';
import { proofText } from '../format/recipients/proof-text.ts';
import { SHARING_TYPES } from '../format/recipients/sharing.ts';
import { publicKeyText } from '../format/wire/public-key.ts';
import { HEADER_BYTES, TAG_BYTES } from '../format/wire/sealed-length.ts';
import { isAge } from '../keys/ring/age.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { groupIdentities } from './groups/epoch-files.ts';
import type { EpochSource } from './groups/epoch-files.ts';
import { openAgeFile } from './age/age-files.ts';
import type { StandardInput } from './input.ts';
import { readIdentities, readKey } from './key-source.ts';
import type { KeySource } from './key-source.ts';
import { fileTarget, printTarget } from './message-target.ts';
import type { MessageTarget, Printer } from './message-target.ts';
import { openSealedFile } from './sealed-file.ts';
import type { SealedFile } from './sealed-file.ts';

/** The parameters of `sealwright open`. */
export interface OpenArguments extends EpochSource {
  readonly file: string;
  readonly keySource: KeySource;
  /** Serialised origin. */
  readonly origin: string | undefined;
  readonly associatedData: Uint8Array;
  readonly out: string | undefined;
  readonly force: boolean;
  /** Whether messages with recipients are accepted. */
  readonly shared: boolean;
  /** Where the proof of the sender's signature goes; undefined: nowhere. */
  readonly proof: string | undefined;
}

/**
 * Opens a sealed file.
 *
 * @param printer receives the message if there is no --out
 * @param tell prints a line for the user, not for programs
 * @throws CommandError, EnvelopeError, AuthenticationError
 */
export async function openCommand(
  parameters: OpenArguments,
  printer: Printer,
  tell: (line: string) => Promise<void>,
  standardInput: StandardInput,
): Promise<void> {
  const sealed = await openSealedFile(parameters.file, standardInput);
  try {
    if (isAge(sealed.head)) {
      await openAge(parameters, sealed, printer, standardInput);
      return;
    }
    if (sealed.totalBytes !== undefined) parseEnvelope(sealed.head, sealed.totalBytes);
    const prefix = checkPossible(parameters, parsePrefix(sealed.head));
    const { header } = prefix;
    const source = parameters.keySource;
    if ('identityFile' in source) {
      const words = 'This is not a file of age: give the key with --key-file FILE';
      throw new CommandError(EXIT.usage, words);
    }
    const keys = header.flags.recipients
      ? await withGroups(
          await readIdentities(source, header.headerKeyId, standardInput),
          prefix,
          parameters,
          standardInput,
        )
      : [await readKey(source, header.headerKeyId, standardInput)];
    try {
      const { attributes, ...opening } = await openingKeys(keys, prefix, sealed.head);
      const proof = await proofTarget(parameters, attributes);
      try {
        const digest = attributes?.signature && newDigest(prefix);
        const options = { purpose: header.purpose, ...opening.keys };
        await openWith(options, sealed, parameters, printer, digest);
        const name = attributes?.file && safeFileName(attributes.file.name);
        if (name) await tell(`The sender calls it ${name}\n`);
        if (attributes && digest) {
          const signed = await signatureOf(attributes, prefix, parameters, await digest.digest());
          await tell(aboutSignature(signed));
          if (proof) await writeProof(signed, proof);
        }
      } finally {
        await proof?.discard();
      }
    } finally {
      for (const one of keys) wipe('type' in one ? one.key : one);
    }
  } finally {
    await sealed.close();
  }
}

/** A file of age is bound to nothing, and signed by nothing. */
async function openAge(
  { keySource, out, force, proof, origin, associatedData }: OpenArguments,
  sealed: SealedFile,
  printer: Printer,
  standardInput: StandardInput,
): Promise<void> {
  if (proof !== undefined || origin !== undefined || associatedData.length > 0) {
    const words =
      'A file of age has neither a site, nor a context, nor a proof: leave these options';
    throw new CommandError(EXIT.usage, words);
  }
  return openAgeFile(keySource, sealed.from(0), { out, force }, printer, standardInput);
}

/** These identities, and those of the groups that the message is for. */
async function withGroups(
  identities: readonly Identity[],
  { recipients: { entries } }: Prefix,
  source: EpochSource,
  standardInput: StandardInput,
): Promise<readonly Identity[]> {
  try {
    const groups = await groupIdentities(entries, identities, source, standardInput);
    return [...identities, ...groups];
  } catch (error) {
    wipe(...identities.map(({ key }) => key));
    throw error;
  }
}

/** Before anything is opened, so that a message is not opened in vain. */
async function proofTarget(
  { proof, force }: OpenArguments,
  attributes: Attributes | undefined,
): Promise<MessageTarget | undefined> {
  if (proof === undefined) return undefined;
  if (attributes?.signature) return fileTarget(proof, force, 0o600);
  const words = 'This message is not signed for others to check: there is no proof to write';
  throw new CommandError(EXIT.notVerified, words);
}

function newDigest({ header }: Prefix): UnpaddedDigest {
  return new UnpaddedDigest(chunkSuite(header.suite).chunkBytes, header.flags.padded);
}

type Signed = Awaited<ReturnType<typeof signatureOf>>;

function aboutSignature(signed: Signed): string {
  if (signed === undefined || signed === 'invalid') {
    return 'It holds a signature that is not valid: take it for unsigned\n';
  }
  const { publicKey: bytes } = signed.signature;
  return `Signed with the key ${publicKeyText({ type: 'Ed25519', bytes })}: compare it with the sender's\n`;
}

async function writeProof(signed: Signed, target: MessageTarget): Promise<void> {
  if (signed === undefined || signed === 'invalid') {
    throw new CommandError(EXIT.notVerified, 'The signature is not valid: no proof was written');
  }
  const text = Buffer.from(proofText(signed));
  await target.write(text);
  await target.publish(text.length);
}

/** @param digest takes the message, if it is signed */
async function openWith(
  keys: OpeningKeys & { readonly purpose: Purpose },
  sealed: SealedFile,
  { origin, associatedData, out, force }: OpenArguments,
  printer: Printer,
  digest: UnpaddedDigest | undefined,
): Promise<void> {
  const plan = await beginOpenStream({ origin, associatedData, ...keys }, sealed.head);
  const target =
    out === undefined
      ? printTarget(printer, 2 * ONE_SHOT_BYTES_MAX, force)
      : await fileTarget(out, force, 0o600);
  try {
    await target.publish(await openInto(target, plan, sealed, digest));
  } finally {
    wipeChunkKeys(plan.keys);
    await target.discard();
  }
}

type OpeningKeys = Pick<BeginOpenOptions, 'key' | 'accept' | 'dataKey'>;

/** Options for one named key, or of a message with recipients its data key, and what it says of itself. */
async function openingKeys(
  keys: readonly (Uint8Array | Identity)[],
  { recipients: { entries } }: Prefix,
  head: Uint8Array,
): Promise<{ readonly keys: OpeningKeys; readonly attributes?: Attributes | undefined }> {
  const [key] = keys;
  if (key instanceof Uint8Array) return { keys: { key } };
  const identities = keys.filter((one) => 'type' in one);
  const header = head.subarray(0, HEADER_BYTES);
  const { dataKey } = await openDataKey(entries, identities, header, SHARING_TYPES);
  const attributes = await openAttributes(entries, dataKey, header, NATIVE_CRYPTO);
  return { keys: { accept: 'shared', dataKey }, attributes };
}

/** Checks the header and names the missing option. Only the owner sees these messages. */
function checkPossible({ origin, shared, keySource }: OpenArguments, prefix: Prefix): Prefix {
  const { flags } = prefix.header;
  // Without --shared for a passphrase: its user knows that the others who have it can make such a message.
  if (flags.recipients && !shared && !('messagePassphraseFile' in keySource)) {
    const words =
      'This message has recipients, so anyone could have made it: open it with --shared';
    throw new CommandError(EXIT.usage, words);
  }
  if (flags.originBound && origin === undefined) {
    const words = 'This message is bound to a site: name it with --origin https://…';
    throw new CommandError(EXIT.usage, words);
  }
  return prefix;
}

/** @returns length of the message, after all chunks have verified */
async function openInto(
  target: MessageTarget,
  { keys, suite, chunksOffset, padded }: StreamOpenPlan,
  sealed: SealedFile,
  digest: UnpaddedDigest | undefined,
): Promise<number> {
  const aead = await NATIVE_CRYPTO.aesGcm(keys.key);
  const opener = new ChunkOpener(aead, keys.baseNonce, suite.chunkBytes);
  const cutter = new ChunkCutter(suite.chunkBytes + TAG_BYTES);
  const padding = new PaddingReader();
  let [sealedBytes, bodyBytes] = [chunksOffset, 0];
  const take = async (sealedChunk: Uint8Array): Promise<void> => {
    const chunk = await opener.open(sealedChunk);
    padding.read(chunk);
    bodyBytes += chunk.length;
    await digest?.add(chunk);
    await target.write(chunk);
  };
  for await (const piece of sealed.from(chunksOffset)) {
    sealedBytes += piece.length;
    for (const sealedChunk of cutter.add(piece)) await take(sealedChunk);
  }
  // Says of a pipe that it was cut off, where its length shows that.
  parseEnvelope(sealed.head, sealedBytes);
  await take(cutter.rest());
  opener.finish();
  return padded ? padding.messageBytes() : bodyBytes;
}

/** The digest of a message, from the chunks of its body. */
class UnpaddedDigest {
  readonly #digest: MessageDigest;
  readonly #padding: PaddingFilter | undefined;
  readonly #chunkBytes: number;

  constructor(chunkBytes: number, padded: boolean) {
    this.#digest = new MessageDigest(chunkBytes);
    this.#padding = padded ? new PaddingFilter() : undefined;
    this.#chunkBytes = chunkBytes;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (const part of this.#padding?.read(chunk) ?? [chunk]) {
      if (typeof part !== 'number') await this.#digest.add(part);
      else await this.#addZeros(part);
    }
  }

  digest(): Promise<Uint8Array> {
    return this.#digest.digest();
  }

  async #addZeros(count: number): Promise<void> {
    for (let left = count; left > 0; left -= this.#chunkBytes) {
      await this.#digest.add(new Uint8Array(Math.min(left, this.#chunkBytes)));
    }
  }
}

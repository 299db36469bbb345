/*
 * `sealwright open`: the offline decryptor. It reads the file chunk by chunk and writes to a temporary
 * file beside the target. This file gets the target's name after the last chunk has verified. Without
 * --out the message is printed to standard output, also only then.
 */
import { wipe } from '../crypto/bytes.ts';
import { beginOpen } from '../format/keys/open-plan.ts';
import type { BeginOpenOptions, OpenPlan } from '../format/keys/open-plan.ts';
import { wipeChunkKeys } from '../format/keys/chunk-keys.ts';
import { ChunkOpener } from '../format/chunks/chunks.ts';
import type { Identity } from '../format/keys/data-key.ts';
import { parseEnvelope } from '../format/wire/envelope.ts';
import type { Envelope } from '../format/wire/envelope.ts';
import { ONE_SHOT_BYTES_MAX } from '../format/limits.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../format/native-crypto.ts';
import { PaddingReader } from '../format/wire/padding.ts';
import type { Purpose } from '../format/wire/header.ts';
import { allKems } from '../format/recipients/kems.ts';
import { recipientTypes } from '../format/recipients/recipient-types.ts';
import { TAG_BYTES } from '../format/wire/sealed-length.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { readIdentities, readKey } from './key-source.ts';
import type { KeySource } from './key-source.ts';
import { fileTarget, printTarget } from './message-target.ts';
import type { MessageTarget, Printer } from './message-target.ts';
import { openSealedFile } from './sealed-file.ts';
import type { SealedFile } from './sealed-file.ts';

/** The parameters of `sealwright open`. */
export interface OpenArguments {
  readonly file: string;
  readonly keySource: KeySource;
  /** Serialised origin, or a URL of that origin. */
  readonly origin: string | undefined;
  readonly associatedData: Uint8Array;
  readonly out: string | undefined;
  readonly force: boolean;
  /** Whether messages with recipients are accepted. */
  readonly shared: boolean;
}

/**
 * Opens a sealed file.
 *
 * @param printer receives the message if there is no --out
 * @throws CommandError, EnvelopeError, AuthenticationError
 */
export async function openCommand(parameters: OpenArguments, printer: Printer): Promise<void> {
  const sealed = await openSealedFile(parameters.file);
  try {
    const { header } = checkPossible(parameters, parseEnvelope(sealed.head, sealed.totalBytes));
    const keys = header.flags.recipients
      ? await readIdentities(parameters.keySource, header.headerKeyId)
      : [await readKey(parameters.keySource, header.headerKeyId)];
    try {
      await openWith(keys, header.purpose, sealed, parameters, printer);
    } finally {
      for (const one of keys) wipe('type' in one ? one.key : one);
    }
  } finally {
    await sealed.close();
  }
}

async function openWith(
  keys: readonly (Uint8Array | Identity)[],
  purpose: Purpose,
  sealed: SealedFile,
  parameters: OpenArguments,
  printer: Printer,
): Promise<void> {
  const { origin, associatedData } = parameters;
  const known = { purpose, origin: serialised(origin), associatedData };
  const options = { ...known, ...openingKeys(keys) };
  const plan = await beginOpen(options, sealed.head, sealed.totalBytes);
  const target = await targetFor(parameters, plan.bodyBytes, printer);
  try {
    await target.publish(await openInto(target, plan, sealed));
  } finally {
    wipeChunkKeys(plan.keys);
    await target.discard();
  }
}

/** Options for one named key, or for the identities of a message with recipients. */
function openingKeys(
  keys: readonly (Uint8Array | Identity)[],
): Pick<BeginOpenOptions, 'key' | 'accept' | 'identities' | 'recipientTypes'> {
  const [key] = keys;
  if (key instanceof Uint8Array) return { key };
  const identities = keys.filter((one) => 'type' in one);
  const types = recipientTypes({ kems: allKems(), crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM });
  return { accept: 'shared', identities, recipientTypes: types };
}

/** Checks the header and names the missing option. Only the owner sees these messages. */
function checkPossible({ origin, shared }: OpenArguments, envelope: Envelope): Envelope {
  const { flags } = envelope.header;
  if (flags.recipients && !shared) {
    const words =
      'This message has recipients, so anyone could have made it: open it with --shared';
    throw new CommandError(EXIT.usage, words);
  }
  if (flags.originBound && origin === undefined) {
    const words = 'This message is bound to a site: name it with --origin https://…';
    throw new CommandError(EXIT.usage, words);
  }
  return envelope;
}

/** @returns length of the message, after all chunks have verified */
async function openInto(
  target: MessageTarget,
  plan: OpenPlan,
  sealed: SealedFile,
): Promise<number> {
  const { suite, chunksOffset, bodyBytes } = plan;
  const opener = await chunkOpener(plan);
  const padding = new PaddingReader();
  const sealedChunkBytes = suite.chunkBytes + TAG_BYTES;
  for (let at = chunksOffset; at < sealed.totalBytes; at += sealedChunkBytes) {
    const chunk = await opener.open(await sealed.read(at, sealedChunkBytes));
    padding.read(chunk);
    await target.write(chunk);
  }
  opener.finish();
  return plan.padded ? padding.messageBytes() : bodyBytes;
}

async function chunkOpener({ keys, suite }: OpenPlan): Promise<ChunkOpener> {
  return new ChunkOpener(await NATIVE_CRYPTO.aesGcm(keys.key), keys.baseNonce, suite.chunkBytes);
}

async function targetFor(
  { out, force }: OpenArguments,
  bodyBytes: number,
  printer: Printer,
): Promise<MessageTarget> {
  if (out !== undefined) return fileTarget(out, force);
  if (bodyBytes > 2 * ONE_SHOT_BYTES_MAX) {
    throw new CommandError(EXIT.usage, 'A message this large needs --out FILE');
  }
  return printTarget(printer);
}

/** The origin of a URL. */
function serialised(origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined;
  const site = URL.canParse(origin) ? new URL(origin).origin : 'null';
  if (site === 'null') {
    throw new CommandError(EXIT.usage, '--origin must look like https://example.org');
  }
  return site;
}

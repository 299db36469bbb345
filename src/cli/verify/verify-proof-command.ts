/* `sealwright verify-proof`: verifies that the owner of a key signed a message. */
import { isAuthenticationError } from '../../crypto/errors.ts';
import { safeFileName } from '../../format/file-name.ts';
import { parseProof, verifyProof, type Proof } from '../../format/recipients/proof.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf, piecesOf, printable, printableLine, wholeFile } from '../input.ts';
import type { StandardInput } from '../input.ts';
import type { Printer } from '../message-target.ts';

/** The parameters of `sealwright verify-proof`. */
export interface VerifyProofArguments {
  /** Of the proof. */
  readonly file: string;
  /** The opened message; undefined: the text in the proof. */
  readonly message: string | undefined;
  /** The public key that should have signed; undefined: any, which is printed. */
  readonly signer: string | undefined;
}

/** A text of 1 MiB, each byte of which JSON may write in six characters, and the rest of the proof. */
const PROOF_BYTES_MAX = 8 * 2 ** 20;

/**
 * Verifies a proof and prints who signed what.
 *
 * @throws CommandError
 */
export async function verifyProofCommand(
  { file, message, signer }: VerifyProofArguments,
  { input, ...printer }: Printer & { readonly input: StandardInput },
): Promise<void> {
  if (signer !== undefined) checkSigner(signer);
  const proof = await readProof(file, input);
  if (message === undefined && proof.text === undefined) {
    const words = `${nameOf(file)} does not hold the message: give it with --message FILE`;
    throw new CommandError(EXIT.usage, words);
  }
  try {
    await verifyProof(proof, message === undefined ? undefined : piecesOf(message, input));
  } catch (error) {
    if (!isAuthenticationError(error)) throw error;
    const words =
      'Not valid: this is another message than the one that was signed, or the proof was altered';
    throw new CommandError(EXIT.notVerified, words);
  }
  if (signer !== undefined && signer !== proof.publicKey) {
    const words = `Signed, but with another key than --signer: ${proof.publicKey}`;
    throw new CommandError(EXIT.notVerified, words);
  }
  await printer.print(report(proof, message === undefined));
}

async function readProof(file: string, input: StandardInput): Promise<Proof> {
  const bytes = await wholeFile(file, PROOF_BYTES_MAX, input);
  try {
    return parseProof(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    const isOther = error instanceof RangeError || error instanceof TypeError;
    if (!isOther) throw error;
    const words = error instanceof RangeError ? error.message : 'Not a proof: it is not text';
    throw new CommandError(EXIT.badInput, `${nameOf(file)}: ${words}`);
  }
}

function checkSigner(text: string): void {
  try {
    if (parsePublicKey(text).type === 'Ed25519') return;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new CommandError(EXIT.badInput, '--signer: this is not a public key of Ed25519');
}

/** What the signature covers. Its owner chose the name, and a terminal shows it. */
function report({ publicKey, content, text }: Proof, isInProof: boolean): string {
  const { name, type, origin, associatedData, purpose } = content;
  const lines: [string, string][] = [
    ['signed with', publicKey],
    ...(name === '' ? [] : ([['name', safeFileName(name)]] as [string, string][])),
    ...(type === '' ? [] : ([['type', printableLine(type)]] as [string, string][])),
    ['purpose', purpose],
    ...(origin === '' ? [] : ([['for the site', printableLine(origin)]] as [string, string][])),
    ...(associatedData.length === 0
      ? []
      : ([['with a context', `${associatedData.length} bytes`]] as [string, string][])),
  ];
  const said = lines.map(([label, value]) => `${label.padEnd(16)}${value}\n`).join('');
  const message = isInProof ? `\n${printable(text ?? '')}\n` : '';
  return `The signature is valid.\n${said}Whose key that is, the proof does not say: compare it.\n${message}`;
}

/* `sealwright keygen`: makes an identity, a named key or the key of a group's admin, and writes its key file. */
import { generateKeyPairSync } from 'node:crypto';
import { wipe } from '../crypto/bytes.ts';
import { NATIVE_RANDOM } from '../format/native-crypto.ts';
import { KEY_BYTES } from '../format/keys/input-key.ts';
import { generateIdentity, identityText } from '../format/recipients/sharing.ts';
import { KEY_ID_BYTES } from '../format/wire/header.ts';
import { keyFileText } from '../format/recipients/key-file.ts';
import { publicKeyText } from '../format/wire/public-key.ts';
import { rawPublicKey } from './groups/group-command.ts';
import { printableLine } from './input.ts';
import { writeFileText } from './message-target.ts';
import type { Printer } from './message-target.ts';

/** The parameters of `sealwright keygen`. */
export interface KeygenArguments {
  readonly named: boolean;
  /** Whether to make the key of a group's admin, PKCS #8 in PEM, instead. */
  readonly admin: boolean;
  readonly out: string | undefined;
  readonly force: boolean;
}

/** Standard output and standard error. */
type Outputs = Printer & { complain(words: string): Promise<void> };

/**
 * Makes a key. Says on standard error where the secret went.
 *
 * @throws CommandError if the file exists or cannot be written
 */
export async function keygenCommand(
  { named, admin, out, force }: KeygenArguments,
  outputs: Outputs,
): Promise<void> {
  const { text, publicKey } = admin ? adminKey() : named ? namedKey() : await identity();
  const shown = publicKey === undefined ? '' : `${publicKey}\n`;
  if (out === undefined) {
    await outputs.print(text);
    const rest = shown === '' ? '' : `The public key, for others:\n${shown}`;
    return outputs.complain(
      `The secret key went to standard output: keep it where you alone can read it\n${rest}`,
    );
  }
  await writeFileText(text, out, force, 0o600);
  if (shown !== '') await outputs.print(shown);
  await outputs.complain(`The secret key is in ${printableLine(out)}, which you alone can read\n`);
}

interface Made {
  readonly text: string;
  readonly publicKey?: string;
}

async function identity(): Promise<Made> {
  const made = await generateIdentity();
  try {
    return { text: identityText(made), publicKey: made.publicKey };
  } finally {
    wipe(made.key);
  }
}

function namedKey(): Made {
  const key = NATIVE_RANDOM.bytes(KEY_BYTES);
  try {
    return { text: keyFileText({ key, keyId: NATIVE_RANDOM.bytes(KEY_ID_BYTES) }) };
  } finally {
    wipe(key);
  }
}

/** The form of other programs, such as `openssl genpkey -algorithm ed25519`: nothing is opened by it. */
function adminKey(): Made {
  const { privateKey } = generateKeyPairSync('ed25519');
  const bytes = rawPublicKey(privateKey);
  return {
    text: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: publicKeyText({ type: 'Ed25519', bytes }),
  };
}

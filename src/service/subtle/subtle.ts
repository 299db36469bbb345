import type { Call, Implementations } from '../../rpc/call.ts';
import type { WireKeyInfo } from '../../rpc/methods/subtle-values.ts';
import type { SubtleKey } from '../../subtle/key.ts';
import { toBase64url } from '../../crypto/bytes.ts';
import { storedKey, type StoredKey } from '../../subtle/stored-key.ts';
import { WorkshopFailed } from '../../rpc/workshop.ts';
import type { NamedKeys } from './named-keys.ts';
import type { PersistentKeys } from './persistent-keys.ts';
import { outcomeOf } from './errors.ts';
import { checkKeyData, checkModulus, generateEffort } from './effort.ts';
import type { RsaWork } from './rsa-work.ts';
import type { SubtleKeys } from './subtle-keys.ts';
import type { SubtleWork } from './subtle-work.ts';
import { own } from '../../workshop/subtle-arguments.ts';

interface Deps {
  readonly subtleKeys: SubtleKeys;
  readonly subtleWork: SubtleWork;
  readonly rsaWork: RsaWork;
  readonly namedKeys: NamedKeys;
  readonly persistentKeys: PersistentKeys;
}

type Name = Extract<keyof Implementations, `subtle.${string}`>;
type Methods = Pick<Implementations, Name>;

/**
 * `subtle` of pages: src/subtle does the work, to the standard's letter; here its keys are found
 * and kept, and its errors become results.
 */
export function subtleMethods(deps: Deps): Methods {
  return { ...usingKeys(deps), ...makingKeys(deps), ...lettingKeysGo(deps) };
}

function usingKeys({ subtleKeys: keys, subtleWork, rsaWork }: Deps) {
  const cipher =
    (usage: 'encrypt' | 'decrypt'): Methods['subtle.encrypt'] =>
    (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        if (await rsaWork.takes(params, call)) return rsaWork.done(`subtle.${usage}`, params, call);
        const subtle = await keys.subtle();
        const work = keys.withKey(params.key, usage, call, (key) =>
          subtle[usage](algorithm, key, own(params.data)),
        );
        return bytesOf(await work);
      });
  return {
    'subtle.encrypt': cipher('encrypt'),
    'subtle.decrypt': cipher('decrypt'),
    'subtle.sign': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        if (await rsaWork.takes(params, call)) return rsaWork.done('subtle.sign', params, call);
        const runtime = await keys.runtime();
        return keys.withKey(params.key, 'sign', call, (key, ended) =>
          subtleWork.sign({ call, ended }, runtime, params, algorithm, key),
        );
      }),
    'subtle.verify': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        if (await rsaWork.takes(params, call)) return rsaWork.done('subtle.verify', params, call);
        const runtime = await keys.runtime();
        return keys.withKey(params.key, 'verify', call, (key, ended) =>
          subtleWork.verify({ call, ended }, runtime, params, algorithm, key),
        );
      }),
    'subtle.digest': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const runtime = await keys.runtime();
        return subtleWork.digest({ call, ended: call }, runtime, params, algorithm);
      }),
    'subtle.deriveBits': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const runtime = await keys.runtime();
        return keys.withKey(params.baseKey, 'deriveBits', call, (key, ended) =>
          subtleWork.deriveBits({ call, ended }, runtime, params, algorithm, key),
        );
      }),
    'subtle.encapsulateBits': ({ algorithm: wire, key: handle }, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(wire, call);
        const subtle = await keys.subtle();
        subtleWork.chargeKem({ call, ended: call });
        const bits = await keys.withKey(handle, 'encapsulateBits', call, (key) =>
          subtle.encapsulateBits(algorithm, key),
        );
        return { sharedKey: bytesOf(bits.sharedKey), ciphertext: bytesOf(bits.ciphertext) };
      }),
    'subtle.decapsulateBits': ({ algorithm: wire, key: handle, ciphertext }, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(wire, call);
        const subtle = await keys.subtle();
        subtleWork.chargeKem({ call, ended: call });
        const work = keys.withKey(handle, 'decapsulateBits', call, (key) =>
          subtle.decapsulateBits(algorithm, key, own(ciphertext)),
        );
        return bytesOf(await work);
      }),
    'subtle.exportReference': ({ key: handle }, call) =>
      outcomeOf(() => keys.reference(handle, call)),
    'subtle.exportKey': (params, call) =>
      outcomeOf(async () => {
        if (await rsaWork.takes(params, call)) {
          return rsaWork.done('subtle.exportKey', params, call);
        }
        const { format, key: handle } = params;
        const key = await keys.sessionKey(handle, call);
        const exported = await (await keys.subtle()).exportKey(format, key);
        return exported instanceof ArrayBuffer ? bytesOf(exported) : { jwk: exported };
      }),
    'subtle.wrapKey': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.wrapAlgorithm, call);
        if (await rsaWork.takes(params, call)) return rsaWork.done('subtle.wrapKey', params, call);
        const key = await keys.sessionKey(params.key, call);
        const subtle = await keys.subtle();
        const work = keys.withKey(params.wrappingKey, 'wrapKey', call, (wrappingKey) =>
          subtle.wrapKey(params.format, key, wrappingKey, algorithm),
        );
        return bytesOf(await work);
      }),
  } satisfies Partial<Methods>;
}

function lettingKeysGo({ subtleKeys: keys, persistentKeys }: Deps) {
  return {
    'subtle.deleteKey': ({ reference }, call) =>
      outcomeOf(async () => {
        await persistentKeys.delete(reference, call);
        return {};
      }),
    'subtle.dropKeys': async ({ keys: handles }, call) => {
      await keys.drop(call, handles);
      return {};
    },
  } satisfies Partial<Methods>;
}

function makingKeys({ subtleKeys: keys, subtleWork, rsaWork, namedKeys, persistentKeys }: Deps) {
  return {
    'subtle.generateKey': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const runtime = await keys.runtime();
        const isRsa = await rsaWork.takes(params, call);
        const made = await keys.keep(call, () =>
          isRsa
            ? rsaWork.done('subtle.generateKey', params, call, generateEffort(algorithm))
            : subtleWork.generateKey({ call, ended: call }, runtime, params, algorithm),
        );
        return made.length === 1 ? made[0]! : { publicKey: made[0]!, privateKey: made[1]! };
      }),
    'subtle.importKey': (params, call) =>
      outcomeOf(async () => {
        const { format, keyData, extractable, usages } = params;
        const algorithm = await keys.algorithm(params.algorithm, call);
        checkKeyData(algorithm, keyData instanceof Uint8Array ? keyData.length : 0);
        if (await rsaWork.takes(params, call)) {
          return only(call, keys, () => rsaWork.done('subtle.importKey', params, call));
        }
        const subtle = await keys.subtle();
        const data = keyData instanceof Uint8Array ? own(keyData) : { ...keyData.jwk };
        return one(call, keys, async () =>
          checked(await subtle.importKey(format, data, algorithm, extractable, usages)),
        );
      }),
    'subtle.importNamedKey': ({ keyId, algorithm, extractable, usages }, call) =>
      outcomeOf(async () => {
        const [made] = await keys.keep(call, async () => [
          await namedKeys.imported({ keyId, algorithm, extractable, usages }, call),
        ]);
        return made!;
      }),
    'subtle.importReference': (request, call) =>
      outcomeOf(async () => {
        const [made] = await keys.keep(call, async () => [
          await persistentKeys.imported(request, call),
        ]);
        return made!;
      }),
    'subtle.deriveKey': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const type = await keys.algorithm(params.derivedKeyType, call);
        const runtime = await keys.runtime();
        const [made] = await keys.keep(call, () =>
          keys.withKey(params.baseKey, 'deriveKey', call, (key, ended) =>
            subtleWork.deriveKey({ call, ended }, runtime, params, algorithm, type, key),
          ),
        );
        return made!;
      }),
    'subtle.encapsulateKey': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const type = await keys.algorithm(params.sharedKeyAlgorithm, call);
        const [runtime, subtle] = [await keys.runtime(), await keys.subtle()];
        const { extractable, usages } = params;
        return keys.keepEncapsulated(call, () =>
          keys.withKey(params.key, 'encapsulateKey', call, async (key) => {
            subtleWork.chargeKem({ call, ended: call });
            const made = await subtle.encapsulateKey(algorithm, key, type, extractable, usages);
            const ciphertext = toBase64url(bytesOf(made.ciphertext));
            return { ...(await storedKey(made.sharedKey, runtime)), ciphertext };
          }),
        );
      }),
    'subtle.decapsulateKey': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const type = await keys.algorithm(params.sharedKeyAlgorithm, call);
        const subtle = await keys.subtle();
        const { ciphertext, extractable, usages } = params;
        return one(call, keys, () =>
          keys.withKey(params.key, 'decapsulateKey', call, (key) => {
            subtleWork.chargeKem({ call, ended: call });
            const given = own(ciphertext);
            return subtle.decapsulateKey(algorithm, key, given, type, extractable, usages);
          }),
        );
      }),
    'subtle.getPublicKey': (params, call) =>
      outcomeOf(async () => {
        if (await rsaWork.takes(params, call)) {
          return only(call, keys, () => rsaWork.done('subtle.getPublicKey', params, call));
        }
        const runtime = await keys.runtime();
        const [made] = await keys.keep(call, () =>
          keys.withPublicHalf(params.key, call, (key) =>
            subtleWork.getPublicKey({ call, ended: call }, runtime, params, key),
          ),
        );
        return made!;
      }),
    'subtle.unwrapKey': (params, call) =>
      outcomeOf(async () => {
        const { format, wrappedKey, unwrappingKey, extractable, usages } = params;
        const algorithm = await keys.algorithm(params.unwrapAlgorithm, call);
        const type = await keys.algorithm(params.unwrappedKeyAlgorithm, call);
        const [wrapped, form] = [own(wrappedKey), format];
        checkKeyData(type, wrapped.length);
        if (await rsaWork.takes(params, call)) {
          return only(call, keys, () => rsaWork.done('subtle.unwrapKey', params, call));
        }
        const subtle = await keys.subtle();
        return one(call, keys, () =>
          keys.withKey(unwrappingKey, 'unwrapKey', call, async (key) =>
            checked(
              await subtle.unwrapKey(form, wrapped, key, algorithm, type, extractable, usages),
            ),
          ),
        );
      }),
  } satisfies Partial<Methods>;
}

async function one(
  call: Call,
  keys: SubtleKeys,
  work: Parameters<SubtleKeys['make']>[1],
): Promise<WireKeyInfo> {
  return (await keys.make(call, work))[0]!;
}

/** The same for a key that the workshop read. */
async function only(
  call: Call,
  keys: SubtleKeys,
  work: () => Promise<readonly StoredKey[]>,
): Promise<WireKeyInfo> {
  const [made] = await keys.keep(call, async () => {
    const [key, ...others] = await work();
    if (key === undefined || others.length > 0) throw new WorkshopFailed('Not one key was made');
    checkModulus(key.algorithm);
    return [key];
  });
  return made!;
}

function checked(key: SubtleKey): SubtleKey {
  checkModulus(key.algorithm);
  return key;
}

function bytesOf(result: ArrayBuffer | Uint8Array): Uint8Array {
  return new Uint8Array(result as ArrayBuffer);
}

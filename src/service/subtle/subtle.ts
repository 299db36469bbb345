import type { Call, Implementations } from '../../rpc/call.ts';
import type { WireKeyInfo } from '../../rpc/methods/subtle-values.ts';
import type { Format } from '../../subtle/algorithms/definition.ts';
import { pageCall } from '../calls/caller.ts';
import type { NamedKeys } from './named-keys.ts';
import { outcomeOf } from './errors.ts';
import type { SubtleKeys } from './subtle-keys.ts';

interface Deps {
  readonly subtleKeys: SubtleKeys;
  readonly namedKeys: NamedKeys;
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

function usingKeys({ subtleKeys: keys }: Deps) {
  const cipher =
    (usage: 'encrypt' | 'decrypt'): Methods['subtle.encrypt'] =>
    (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
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
        const subtle = await keys.subtle();
        const work = keys.withKey(params.key, 'sign', call, (key) =>
          subtle.sign(algorithm, key, own(params.data)),
        );
        return bytesOf(await work);
      }),
    'subtle.verify': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const subtle = await keys.subtle();
        return keys.withKey(params.key, 'verify', call, (key) =>
          subtle.verify(algorithm, key, own(params.signature), own(params.data)),
        );
      }),
    'subtle.digest': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        return bytesOf(await (await keys.subtle()).digest(algorithm, own(params.data)));
      }),
    'subtle.deriveBits': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.algorithm, call);
        const subtle = await keys.subtle();
        const work = keys.withKey(params.baseKey, 'deriveBits', call, (key) =>
          subtle.deriveBits(algorithm, key, params.length),
        );
        return bytesOf(await work);
      }),
    'subtle.exportKey': ({ format, key: handle }, call) =>
      outcomeOf(async () => {
        const key = await keys.sessionKey(handle, pageCall(call).caller);
        const exported = await (await keys.subtle()).exportKey(format as Format, key);
        return exported instanceof ArrayBuffer ? bytesOf(exported) : { jwk: exported };
      }),
    'subtle.wrapKey': (params, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(params.wrapAlgorithm, call);
        const key = await keys.sessionKey(params.key, pageCall(call).caller);
        const subtle = await keys.subtle();
        const work = keys.withKey(params.wrappingKey, 'wrapKey', call, (wrappingKey) =>
          subtle.wrapKey(params.format as Format, key, wrappingKey, algorithm),
        );
        return bytesOf(await work);
      }),
  } satisfies Partial<Methods>;
}

function lettingKeysGo({ subtleKeys: keys }: Deps) {
  return {
    'subtle.dropKeys': async ({ keys: handles }, call) => {
      await keys.drop(call, handles);
      return {};
    },
  } satisfies Partial<Methods>;
}

function makingKeys({ subtleKeys: keys, namedKeys }: Deps) {
  return {
    'subtle.generateKey': ({ algorithm: wire, extractable, usages }, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(wire, call);
        const subtle = await keys.subtle();
        const made = await keys.make(call, () =>
          subtle.generateKey(algorithm, extractable, usages),
        );
        return made.length === 1 ? made[0]! : { publicKey: made[0]!, privateKey: made[1]! };
      }),
    'subtle.importKey': ({ format, keyData, algorithm: wire, extractable, usages }, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(wire, call);
        const subtle = await keys.subtle();
        const data = keyData instanceof Uint8Array ? own(keyData) : { ...keyData.jwk };
        return one(call, keys, () =>
          subtle.importKey(format as Format, data, algorithm, extractable, usages),
        );
      }),
    'subtle.importNamedKey': ({ keyId, algorithm, extractable, usages }, call) =>
      outcomeOf(async () => {
        const [made] = await keys.keep(call, async () => [
          await namedKeys.imported({ keyId, algorithm, extractable, usages }, call),
        ]);
        return made!;
      }),
    'subtle.deriveKey': ({ algorithm: wire, baseKey, derivedKeyType, extractable, usages }, call) =>
      outcomeOf(async () => {
        const algorithm = await keys.algorithm(wire, call);
        const type = await keys.algorithm(derivedKeyType, call);
        const subtle = await keys.subtle();
        return one(call, keys, () =>
          keys.withKey(baseKey, 'deriveKey', call, (key) =>
            subtle.deriveKey(algorithm, key, type, extractable, usages),
          ),
        );
      }),
    'subtle.unwrapKey': (params, call) =>
      outcomeOf(async () => {
        const { format, wrappedKey, unwrappingKey, extractable, usages } = params;
        const algorithm = await keys.algorithm(params.unwrapAlgorithm, call);
        const type = await keys.algorithm(params.unwrappedKeyAlgorithm, call);
        const subtle = await keys.subtle();
        const [wrapped, form] = [own(wrappedKey), format as Format];
        return one(call, keys, () =>
          keys.withKey(unwrappingKey, 'unwrapKey', call, (key) =>
            subtle.unwrapKey(form, wrapped, key, algorithm, type, extractable, usages),
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

function bytesOf(result: ArrayBuffer | Uint8Array): Uint8Array {
  return new Uint8Array(result as ArrayBuffer);
}

/** Bytes of a message lie in a buffer of no one else. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

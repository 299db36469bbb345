import { create, defineProperty, freeze, ownKeys } from '../../src/rpc/primordials.ts';
import { boundTo, SafeWeakMap } from './primordials.ts';

type Method = (...args: never[]) => unknown;
const { getOwnPropertyDescriptor } = Object;

type Methods = Readonly<Record<string, Method>>;

/**
 * Lets pages take methods off an instance, `const { seal } = sealwright`. Each method of the class becomes
 * a getter of its prototype, which returns the method bound to the instance: always the same function. Own
 * properties would do as well, but a Proxy may not replace what is frozen.
 *
 * @param inherited further methods, of a class that the browser has
 * @returns to be called by the constructor with each instance
 */
export function bindsMethods(
  prototype: object,
  inherited: Methods = {},
): (instance: object) => void {
  const methods = create(null) as Record<string, Method>;
  const own = ownKeys(prototype);
  for (let i = 0; i < own.length; i++) {
    const name = own[i]!;
    const value: unknown = getOwnPropertyDescriptor(prototype, name)!.value;
    if (typeof name === 'string' && name !== 'constructor' && typeof value === 'function') {
      methods[name] = value as Method;
    }
  }
  const others = ownKeys(inherited) as string[];
  for (let i = 0; i < others.length; i++) methods[others[i]!] = inherited[others[i]!]!;
  const names = ownKeys(methods) as string[];
  const boundOf = new SafeWeakMap<object, Methods>();
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const method = methods[name]!;
    const get = function (this: object): Method {
      return boundOf.get(this)?.[name] ?? method;
    };
    const how = { __proto__: null, get, configurable: true, enumerable: false };
    defineProperty(prototype, name, how as unknown as PropertyDescriptor);
  }
  return (instance) => {
    const bound = create(null) as Record<string, Method>;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      bound[name] = boundTo(methods[name]!, instance);
    }
    boundOf.set(instance, freeze(bound));
  };
}

/*
 * What @peculiar/x509 (by tsyringe) needs of the package reflect-metadata: values by class and name.
 */
const values = new WeakMap<object, Map<string, unknown>>();

function get(name: string, target: object): unknown {
  return values.get(target)?.get(name);
}

Object.assign(Reflect, {
  getMetadata: get,
  getOwnMetadata: get,
  hasOwnMetadata: (name: string, target: object) => values.get(target)?.has(name) === true,
  defineMetadata(name: string, value: unknown, target: object) {
    const own = values.get(target) ?? new Map<string, unknown>();
    values.set(target, own.set(name, value));
  },
});

/** "Normalize an algorithm" (Web Cryptography API, section 18.4.4). */
import { HASH_SIZES } from '../crypto/algorithms.ts';
import type { RegisteredOperation } from '../crypto/subtle/row.ts';
import { rowOf } from '../crypto/subtle/table.ts';
import type { HashName } from '../engine/contract.ts';
import { DEFINITIONS } from './algorithms/table.ts';
import type { Definition, KeyReaders, Operation, Runs } from './algorithms/definition.ts';
import { notSupported } from './errors.ts';
import { readMembers } from './webidl/members.ts';
import { isObject, toText } from './webidl/web-idl.ts';

/** An algorithm whose parameters have been read. */
export interface Normalized<O extends Operation> {
  /** As the standard writes it. */
  readonly name: string;
  /** What the algorithm does with its parameters, which have been read and copied. */
  readonly run: Runs[O];
}

const BY_NAME: ReadonlyMap<string, Definition> = new Map(
  DEFINITIONS.map((definition) => [asciiLowerCase(definition.name), definition]),
);

/**
 * @param algorithm a name in any case, or an object with `name` and parameters
 * @throws NotSupportedError if there is no such algorithm, or it has no such operation
 * @throws TypeError if a parameter is missing or has the wrong type
 */
export function normalize<O extends Operation>(operation: O, algorithm: unknown): Normalized<O> {
  const definition = definitionOf(operation, algorithm);
  const { name, instead = {} } = definition;
  const source = isObject(algorithm) ? algorithm : {};
  const dictionary = rowOf(name)!.operations[registered(operation)]!;
  const params = readMembers({ name, instead, toHash: normalizeHash }, dictionary, source);
  const begin = definition[operation] as (given: typeof params) => Runs[O];
  return { name, run: begin(params) };
}

function registered(operation: Operation): RegisteredOperation {
  return operation === 'createHash' ? 'digest' : operation;
}

/** Whether an algorithm has an operation, without reading the parameters. */
export function hasOperation(operation: Operation, algorithm: unknown): boolean {
  return BY_NAME.get(asciiLowerCase(nameOf(algorithm)))?.[operation] !== undefined;
}

/** @returns the name as the standard writes it. @throws NotSupportedError */
export function canonicalName(algorithm: unknown): string {
  const name = nameOf(algorithm);
  const definition = BY_NAME.get(asciiLowerCase(name));
  if (definition === undefined) throw unknownAlgorithm(name);
  return definition.name;
}

/** The two operations that read a key alone; undefined if there is no such algorithm. */
export function keyReaders(name: string): KeyReaders | undefined {
  return BY_NAME.get(asciiLowerCase(name));
}

function definitionOf(operation: Operation, algorithm: unknown): Definition {
  const name = nameOf(algorithm);
  const definition = BY_NAME.get(asciiLowerCase(name));
  if (definition === undefined) throw unknownAlgorithm(name);
  if (definition[operation] === undefined) {
    throw notSupported(`${definition.name} has no operation ${operation}`);
  }
  return definition;
}

/** The standard compares ASCII letters without case; the Kelvin sign must not equal k. */
function asciiLowerCase(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function unknownAlgorithm(name: string): DOMException {
  return notSupported(`There is no algorithm ${JSON.stringify(name)}`);
}

/** AlgorithmIdentifier: (object or DOMString); the object's `name` is required. */
function nameOf(algorithm: unknown): string {
  if (!isObject(algorithm)) return toText('algorithm', algorithm);
  const { name } = algorithm as { name?: unknown };
  if (name === undefined) throw new TypeError('algorithm: name is missing');
  return toText('algorithm: name', name);
}

/** HashAlgorithmIdentifier: normalized for the operation digest. */
function normalizeHash(hash: unknown): HashName {
  const { name } = definitionOf('digest', hash);
  if (isHash(name)) return name;
  throw notSupported(`${name} has outputs of any length; no algorithm here works over it`);
}

function isHash(name: string): name is HashName {
  return Object.hasOwn(HASH_SIZES, name);
}

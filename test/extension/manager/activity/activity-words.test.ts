import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Circle } from 'lucide-preact';
import { iconOf } from '../../../../extension/manager/activity/activity-icons.ts';
import { LOCK_OPERATIONS } from '../../../../src/service/vault/lock-keeper.ts';
import { METHODS, type Method, type MethodName } from '../../../../src/rpc/methods/methods.ts';
import {
  failureWords,
  KINDS,
  operationsNamed,
  operationsOf,
  operationWords,
  type Kind,
} from '../../../../extension/manager/activity/activity-words.ts';

/** Operations in the log that are not methods of pages, read from the sources of the service. */
function operationsInSources(): string[] {
  const files = ['audit/activity', 'grants/revoker', 'grants/unused-grants', 'consent/answer'];
  const paths = files.map((name) => `src/service/${name}.ts`);
  return paths.flatMap((path) => {
    const source = readFileSync(path, 'utf8');
    return Array.from(source.matchAll(/operation: '(\w+)'/g), (match) => match[1]!);
  });
}

/** The names that the table's rows have for the log. */
function namedByRows(): string[] {
  const samples = [
    { by: { passphrase: 'x' } },
    { by: { recoveryCode: 'x' }, archived: true, verified: true },
    { by: { prf: new Uint8Array(32) } },
  ];
  return Object.values<Method>(METHODS).flatMap(({ operation }) => {
    if (typeof operation !== 'function') return operation ?? [];
    return samples.map((params) => operation(params as never, undefined as never));
  });
}

describe('icons for operations in the log', () => {
  it('exist for every operation that has a message', () => {
    const kinds = Object.keys(KINDS) as Kind[];
    const plain = kinds.flatMap(operationsOf).filter((name) => iconOf(name) === Circle);
    expect(plain).to.deep.equal([]);
  });
});

describe('messages for operations in the log', () => {
  it('exist for every operation that is logged', () => {
    const uses = (Object.keys(METHODS) as MethodName[]).filter(
      (name) => METHODS[name].needs === 'grant' && METHODS[name].replay !== 'pure',
    );
    const operations = [...uses, ...namedByRows(), ...operationsInSources(), ...LOCK_OPERATIONS];
    expect(operations).to.include.members([
      'seal',
      'unlock',
      'unlockByCode',
      'unlockByPasskey',
      'grantUnused',
      'clearActivity',
      'archiveKey',
      'takeFromArchive',
      'renameContact',
      'changeContact',
    ]);
    for (const operation of operations) {
      for (const result of ['ok', 'INTERNAL']) {
        expect(operationWords({ operation, result }), operation).to.not.equal('activityOther');
      }
    }
  });

  it('are the unknown one for operations of other versions', () => {
    expect(operationWords({ operation: 'toString', result: 'ok' })).to.equal('activityOther');
  });

  it('say what was done, and what was tried in vain', () => {
    const words = (operation: string, result: string) => operationWords({ operation, result });
    expect(words('createVault', 'ok')).to.equal('activityCreateVault');
    expect(words('createVault', 'QUOTA')).to.equal('createVault');
    expect(words('unlock', 'AUTH_FAILED')).to.equal('unlock');
    expect(words('seal', 'ok')).to.equal('activitySeal');
    expect(words('seal', 'NOT_GRANTED')).to.equal('capabilitySeal');
  });

  it('are found by their text', () => {
    const t = (key: string) => (key === 'capabilitySeal' ? 'Daten Verschlüsseln' : '–');
    expect(operationsNamed('verschl', t)).to.have.members([
      ...['seal', 'sealText', 'sealMany', 'releaseSeal'],
    ]);
    expect(operationsNamed('nothing', t)).to.deep.equal([]);
  });

  it('belong to one kind each', () => {
    const all = (Object.keys(KINDS) as Kind[]).flatMap(operationsOf);
    expect(new Set(all).size).to.equal(all.length);
  });

  it('distinguish a wrong passphrase from damaged data, and are absent for success', () => {
    const entry = { from: 0, until: 0, container: null, key: null, uses: 1, bytes: 0 };
    const of = (result: string, origin: string | null) =>
      failureWords({ ...entry, operation: 'x', result, origin });
    expect(of('ok', null)).to.equal(null);
    expect(of('AUTH_FAILED', null)).to.equal('activityWrongSecret');
    expect(of('AUTH_FAILED', 'https://a.example')).to.equal('activityDamaged');
    expect(of('constructor', null)).to.equal('activityFailed');
  });
});

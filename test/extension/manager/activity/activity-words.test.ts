import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { METHODS, type Method, type MethodName } from '../../../../src/rpc/methods/methods.ts';
import {
  failureWords,
  KINDS,
  operationsNamed,
  operationsOf,
  operationWords,
  type Kind,
} from '../../../../extension/manager/activity/activity-words.ts';

/** Operations that the service notes beside the methods of pages, as its sources name them. */
function notedBySources(): string[] {
  const files = [
    ...['audit/activity', 'vault/lock-keeper'],
    ...['grants/revoker', 'grants/unused-grants', 'consent/answer'],
  ];
  const paths = files.map((name) => `src/service/${name}.ts`);
  return paths.flatMap((path) => {
    const source = readFileSync(path, 'utf8');
    return Array.from(source.matchAll(/operation: '(\w+)'/g), (match) => match[1]!);
  });
}

/** The names that the table's rows have for the log. */
function namedByRows(): string[] {
  const samples = [{}, { archived: true, verified: true }];
  return Object.values<Method>(METHODS).flatMap(({ operation }) => {
    if (typeof operation !== 'function') return operation ?? [];
    return samples.map((params) => operation(params as never));
  });
}

describe('the words for what the log names', () => {
  it('stand for everything that is noted', () => {
    const uses = (Object.keys(METHODS) as MethodName[]).filter(
      (name) => METHODS[name].needs === 'grant' && METHODS[name].replay !== 'pure',
    );
    const noted = [...uses, ...namedByRows(), ...notedBySources()];
    expect(noted).to.include.members([
      ...['seal', 'unlock', 'grantUnused', 'clearActivity', 'lock'],
      ...['archiveKey', 'takeFromArchive', 'renameContact', 'changeContact'],
    ]);
    for (const operation of noted) {
      expect(operationWords(operation), operation).to.not.equal('activityOther');
    }
  });

  it('say so of what this version does not know', () => {
    expect(operationWords('toString')).to.equal('activityOther');
  });

  it('are found by what they say', () => {
    const said = (key: string) => (key === 'capabilitySeal' ? 'Daten Verschlüsseln' : '–');
    expect(operationsNamed('verschl', said)).to.have.members([
      ...['seal', 'sealText', 'sealMany', 'releaseSeal'],
    ]);
    expect(operationsNamed('nothing', said)).to.deep.equal([]);
  });

  it('sort every operation under one kind', () => {
    const all = (Object.keys(KINDS) as Kind[]).flatMap(operationsOf);
    expect(new Set(all).size).to.equal(all.length);
  });

  it('tell a wrong passphrase from damaged data, and nothing of what went well', () => {
    const entry = { from: 0, until: 0, container: null, key: null, uses: 1, bytes: 0 };
    const of = (result: string, origin: string | null) =>
      failureWords({ ...entry, operation: 'x', result, origin });
    expect(of('ok', null)).to.equal(null);
    expect(of('AUTH_FAILED', null)).to.equal('activityWrongSecret');
    expect(of('AUTH_FAILED', 'https://a.example')).to.equal('activityDamaged');
    expect(of('constructor', null)).to.equal('activityFailed');
  });
});

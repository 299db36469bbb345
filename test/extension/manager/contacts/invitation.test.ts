import { expect } from 'chai';
import { invitationIn, invitationText } from '../../../../extension/manager/contacts/invitation.ts';
import { generateIdentity } from '../../../../src/format/recipients/sharing.ts';

describe('an invitation', () => {
  let publicKey: string;
  before(async () => {
    ({ publicKey } = await generateIdentity());
  });

  it('is read as mail leaves it: quoted, wrapped, with other words around it', () => {
    const text = invitationText({ name: 'Ada', publicKey }, 'Add me');
    const wrapped = text.replaceAll(/\S{70}/g, '$&\n').replaceAll(/^/gm, '> ');
    for (const each of [text, wrapped, `Hello!\r\n\r\n${wrapped}\n--\nAda`]) {
      expect(invitationIn(each)).to.deep.equal({ name: 'Ada', publicKey });
    }
    expect(invitationIn(publicKey)).to.deep.equal({ name: '', publicKey });
    expect(invitationIn('Name: Ada')).to.equal(undefined);
  });

  it('is found at the end of a long text', () => {
    const lines = '\n'.repeat(400_000);
    const text = `${lines}Name: Ada\n${publicKey}`;
    expect(invitationIn(text)).to.deep.equal({ name: 'Ada', publicKey });
    expect(invitationIn(`${lines}${publicKey}`)?.name).to.equal('');
  });

  it('has a name that a contact can have, also of characters of two units', () => {
    const { name } = invitationIn(`Name: ${'👍'.repeat(90)}\n${publicKey}`)!;
    expect(name).to.equal(`${'👍'.repeat(49)}…`);
  });
});

import { expect } from 'chai';
import { chosenWords } from '../../../../extension/platform/windows/chosen-words.ts';
import { MemorySession } from '../../../support/stores/memory-store.ts';

describe('platform/chosen-words', () => {
  async function wordsFor(preferences: unknown) {
    const pageValues = new MemorySession();
    if (preferences !== undefined) await pageValues.set('preferences', preferences);
    const asked: string[] = [];
    const words = chosenWords({
      browserWords: () => 'Sealwright: open',
      pageValues,
      messagesOf: (language) => {
        asked.push(language);
        return language === 'de'
          ? Promise.resolve({ toolbarOpen: { message: 'Sealwright: offen' } })
          : Promise.reject(new Error('no such file'));
      },
    });
    return { words, asked, pageValues };
  }

  it('are in the language that the user chose, from then on, and read once', async () => {
    const { words, asked, pageValues } = await wordsFor(undefined);
    expect((await words())('toolbarOpen')).to.equal('Sealwright: open');
    await pageValues.set('preferences', { language: 'de', theme: 'system' });
    expect((await words())('toolbarOpen')).to.equal('Sealwright: offen');
    expect((await words())('toolbarOpen')).to.equal('Sealwright: offen');
    expect(asked).to.deep.equal(['de']);
  });

  it("are the browser's where the choice cannot be read", async () => {
    const { words, pageValues } = await wordsFor({ language: 'de' });
    pageValues.get = () => Promise.reject(new Error('closed'));
    expect((await words())('toolbarOpen')).to.equal('Sealwright: open');
  });

  for (const language of ['auto', 'xx', '../de', 7, undefined]) {
    it(`are in the browser's language for ${JSON.stringify(language)}`, async () => {
      const { words } = await wordsFor({ language });
      expect((await words())('toolbarOpen')).to.equal('Sealwright: open');
    });
  }
});

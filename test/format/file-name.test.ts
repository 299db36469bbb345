import { expect } from 'chai';
import fc from 'fast-check';
import { safeFileName } from '../../src/format/file-name.ts';

describe('safeFileName', () => {
  const names: readonly (readonly [string, string])[] = [
    // As they are
    ['holiday (2).png', 'holiday (2).png'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['README', 'README'],
    ['写真.png', '写真.png'],
    ['ملف.pdf', 'ملف.pdf'],
    ['👩\u200d🔬.jpg', '👩\u200d🔬.jpg'],
    // Paths
    ['/etc/passwd', '_etc_passwd'],
    ['../../.ssh/id', '__.._.ssh_id'],
    ['C:\\Windows\\a.dll', 'C__Windows_a.dll'],
    ['a\0b.txt', 'a_b.txt'],
    ['..', ''],
    ['.bashrc', '_bashrc'],
    ['...hidden.txt', '_hidden.txt'],
    // What is not shown, or is shown elsewhere
    ['photo\u202egnp.exe', 'photo_gnp.exe'],
    ['a\r\nb.txt', 'a b.txt'],
    ['a\u200b\ufeff.txt', 'a_ .txt'],
    ['invoice.pdf                    .exe', 'invoice.pdf .exe'],
    ['invoice.pdf\u3164\u2800\u00a0.exe', 'invoice.pdf .exe'],
    // Windows
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Com1 .log', '_Com1 .log'],
    ['LPT\u00b2.txt', '_LPT\u00b2.txt'],
    ['CONIN$', '_CONIN$'],
    ['console.txt', 'console.txt'],
    ['desktop.ini', '_desktop.ini'],
    ['a<b>|c?*".txt', 'a_b__c___.txt'],
    ['file.txt:stream', 'file.txt_stream'],
    ['name.  . ', 'name'],
    // Nothing that could be a name
    ['', ''],
    ['   ', ''],
    ['\u202e\u2066', ''],
    ['///', ''],
    ['\ud800.txt', '_.txt'],
  ];
  for (const [name, expected] of names) {
    it(`${JSON.stringify(name)} becomes "${expected}"`, () => {
      expect(safeFileName(name)).to.equal(expected);
    });
  }

  it('keeps the extension of a name that is cut, which takes whole characters', () => {
    expect(safeFileName(`${'a'.repeat(500)}.pdf.exe`)).to.equal(`${'a'.repeat(236)}.exe`);
    expect(safeFileName(`${'写'.repeat(255)}.png`)).to.equal(`${'写'.repeat(78)}.png`);
    expect(safeFileName('👩'.repeat(100))).to.equal('👩'.repeat(60));
  });

  it('gives a name that stays as it is, whatever it is given', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        'a',
        'Z',
        '.',
        ' ',
        '/',
        '\\',
        ':',
        '~',
        '_',
        '$',
        '1',
        'CON',
        'nul',
        '\u202e',
        '\u0301',
        '\u3164',
        '写',
        '\ud83d',
        '\n',
      ),
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        const name = safeFileName(text);
        expect(safeFileName(name)).to.equal(name);
        expect(name).to.not.match(/[\p{Cc}/\\:*?"<>|]|^\.|[. ]$/u);
        expect(Buffer.byteLength(name)).to.be.at.most(240);
      }),
    );
  });
});

import { expect } from 'chai';
import { bytesOf, UnreadableBlobError } from '../../../../extension/content/bulk/blob-slices.ts';
import { fileProblem } from '../../../../extension/manager/files/use-file-work.ts';
import { NoFileError } from '../../../../extension/platform/storage/file-sink.ts';
import { SealwrightError } from '../../../../src/rpc/errors.ts';

describe('The message for a file', () => {
  it('says that it cannot be read, whether at its beginning or later', async () => {
    const beginning = new DOMException('', 'NotReadableError');
    const later: unknown = await bytesOf({
      size: 1,
      arrayBuffer: () => Promise.reject(beginning),
    } as Blob).catch((error: unknown) => error);
    expect(later).to.be.instanceOf(UnreadableBlobError);
    expect([beginning, later].map(fileProblem)).to.deep.equal(['fileUnreadable', 'fileUnreadable']);
  });

  it('says that there is no room, or that the window cannot hold it', () => {
    const full = new DOMException('', 'QuotaExceededError');
    expect(fileProblem(full)).to.equal('fileNoRoom');
    expect(fileProblem(new NoFileError())).to.equal('fileNeedsNormalWindow');
  });

  it('is left to others for all else', () => {
    expect(fileProblem(new SealwrightError('INVALID_ARGUMENT', 'context'))).to.equal(undefined);
    expect(fileProblem(new DOMException('', 'AbortError'))).to.equal(undefined);
  });
});

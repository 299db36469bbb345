/** The error that a promise rejects with. The test fails if it resolves. */
export async function failure(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('This should have been rejected');
}

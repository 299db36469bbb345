/** What a promise is rejected with; it is a failure of the test where it is not. */
export async function failure(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('This should have been rejected');
}

/** The name of the error that something rejects with, or 'opened'. */
export async function refusal(opening: Promise<unknown>): Promise<string> {
  try {
    await opening;
    return 'opened';
  } catch (error) {
    return (error as Error).name;
  }
}

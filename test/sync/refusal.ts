/** The name of the error of a rejection, or 'opened'. */
export async function refusal(opening: Promise<unknown>): Promise<string> {
  try {
    await opening;
    return 'opened';
  } catch (error) {
    return (error as Error).name;
  }
}

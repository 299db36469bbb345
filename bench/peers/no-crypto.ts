/* In place of Node's crypto in the browser's bench: nothing that is timed may fall back on it. */
export default {};

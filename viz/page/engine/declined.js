/**
 * Why the page does not answer a question: thrown by whatever finds out, caught in
 * `topographEngine`.
 */
export class Declined extends Error {}

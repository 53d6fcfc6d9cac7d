/** Returns the domain of a stored address, in A-labels and lower case. */
export function getDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

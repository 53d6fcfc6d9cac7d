import 'reflect-metadata';
import { buildProgram } from './program';
import { report } from './failure-report';

buildProgram()
  .parseAsync()
  .catch((error: unknown) => {
    // What did not start as a whole has connections that nobody can close any more.
    process.stderr.write(`${report(error)}\n`, () => process.exit(1));
  });

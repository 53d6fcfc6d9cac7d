import 'reflect-metadata';
import { buildProgram } from './program';
import { report } from './failure-report';

buildProgram()
  .parseAsync()
  .catch((error: unknown) => {
    // After a failed start some connections cannot be closed any more.
    process.stderr.write(`${report(error)}\n`, () => process.exit(1));
  });

export { AppError, type ErrorDetail } from './app.errors';
export { defineError, errorCodes, type ErrorCode, type ErrorKind, type FailureKind } from './error-code';
export {
  conflict,
  forbidden,
  invalidField,
  limitExceeded,
  notFound,
  unavailable,
  validationFailed,
} from './common.errors';
export { toFailureKind as toFailure } from './failure';

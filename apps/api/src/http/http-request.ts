import { type Principal, type WorkspaceScope } from '@domain/access';
import { type Request } from 'express';

/** Facts that the guards store on a request for later handlers. */
export interface HttpRequest extends Request {
  requestId: string;
  principal?: Principal | null;
  scope?: WorkspaceScope;
  /** Facts about an upload before it is read: its length and its rules. */
  uploadMark?: object;
  /** Codes that this route answers in Form A; set as soon as the route is known. */
  formACodes?: readonly string[];
}

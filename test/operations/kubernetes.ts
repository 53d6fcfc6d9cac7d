import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { documentsOf, filesIn, yamlOf } from './files';
import { unknownFields } from './kubernetes-fields';

interface Probe {
  readonly httpGet: { path: string; port: string };
  readonly timeoutSeconds?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { name: string; value: string }[];
  readonly envFrom: readonly { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  readonly ports?: readonly { name: string; containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { preStop: { sleep: { seconds: number } } };
  readonly resources: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  readonly securityContext: object;
}

export type Labels = Record<string, string>;

export interface PodTemplate {
  readonly metadata: { labels: Labels };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly terminationGracePeriodSeconds?: number;
    readonly serviceAccountName: string;
    readonly securityContext: object;
    readonly automountServiceAccountToken?: boolean;
    readonly topologySpreadConstraints?: readonly { labelSelector: { matchLabels: Labels } }[];
  };
}

/** Any object of the manifests; fields that a kind lacks are absent. */
export interface Manifest {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string; namespace?: string; labels?: Labels };
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { matchLabels?: Labels } & Record<string, unknown>;
    readonly template: PodTemplate;
    readonly podSelector: {
      matchLabels?: Labels;
      matchExpressions?: readonly { key: string; operator: string; values: readonly string[] }[];
    };
    readonly ports: readonly { name: string; targetPort: string }[];
    readonly ingress: readonly { ports: readonly { port: string }[] }[];
    readonly egress?: readonly {
      to: readonly { ipBlock?: { cidr: string; except?: readonly string[] } }[];
      ports?: readonly { protocol: string; port: number }[];
    }[];
    readonly scaleTargetRef: { kind: string; name: string };
    readonly rules: readonly {
      http: { paths: readonly { backend: { service: { name: string; port: { name: string } } } }[] };
    }[];
    readonly podMetricsEndpoints: readonly { port: string; path: string }[];
  };
}

const MODELS = [
  ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Job, Namespace, NetworkPolicy,
  PodDisruptionBudget, Secret, Service, ServiceAccount,
]; // prettier-ignore
/** Kinds of the Prometheus Operator: Kubernetes itself has no schema for them. */
const ELSEWHERE = new Set(['PodMonitor', 'Kustomization', 'Component']);

const FOLDERS = ['base', 'example', 'monitoring'].map((name) => `deploy/kubernetes/${name}`);

/** All objects of all manifests. */
export const manifests: Manifest[] = FOLDERS.flatMap(filesIn)
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) => documentsOf<Omit<Manifest, 'file'>>(file).map((document) => ({ file, ...document })));

export const kustomizations = FOLDERS.map((folder) => ({
  folder,
  ...yamlOf<{ resources: string[]; images?: { name: string }[]; replicas?: { name: string }[] }>(
    `${folder}/kustomization.yaml`,
  ),
}));

/**
 * Validates an object against the schema that Kubernetes publishes for its kind.
 * @throws Error for a missing, unknown or mistyped field, and for an unknown kind
 */
export function expectValid({ file: _file, ...object }: Manifest): void {
  if (ELSEWHERE.has(object.kind)) return;
  const model = MODELS.find(({ kind, apiVersion }) => kind === object.kind && apiVersion === object.apiVersion);
  if (!model) throw new Error(`There is no ${object.kind} of ${object.apiVersion}`);
  const strangers = unknownFields(object.apiVersion, object.kind, object);
  if (strangers.length > 0) throw new Error(`There is no ${strangers.join(', ')}`);
  new (model as unknown as new (data: object) => { validate(): void })(object).validate();
}

/** Bytes of `640Mi` and similar quantities. @throws Error for another unit */
export function bytesOf(quantity: string): number {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  if (number === undefined) throw new Error(`${quantity} is not a known quantity`);
  return Number(number) * (unit === 'Gi' ? 1024 : 1) * 1024 * 1024;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, variables, VERSION } from '@platform/config';
import { QUEUE_NAMES } from '@platform/queues';
import { textOf, yamlOf } from './files';
import {
  bytesOf,
  type Container,
  expectValid,
  kustomizations,
  type Labels,
  manifests,
  type PodTemplate,
} from './kubernetes';

interface ComposeService {
  readonly command?: string[];
  readonly depends_on: Record<string, { condition: string }>;
  readonly deploy: { resources: { limits: { memory: string } } };
}

const MEBI = 1024 * 1024;
const dockerfile = textOf('Dockerfile');
const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
const deployments = ofKind('Deployment');
const pods = ofKind('Deployment', 'Job').map((manifest) => ({
  name: manifest.metadata.name,
  template: manifest.spec.template,
  container: manifest.spec.template.spec.containers[0]!,
}));
const running = pods.filter(({ name }) => deployments.some(({ metadata }) => metadata.name === name));
const [config] = ofKind('ConfigMap');
const [secret] = ofKind('Secret');

/** The command of the container: its own, or that of the image. */
function commandOf({ command }: Container): readonly string[] {
  const [, own = '[]'] =
    /^CMD (\[.*\])$/m.exec(
      dockerfile
        .split('\n')
        .toReversed()
        .find((line) => line.startsWith('CMD')) ?? '',
    ) ?? [];
  return command ?? (JSON.parse(own) as string[]);
}

const settingsOf = ({ env = [] }: Container): Record<string, string> => ({
  ...config?.data,
  ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
});

/** The environment as Kubernetes reads it, with valid secrets. */
const readBy = (container: Container) =>
  loadConfig({
    MONGODB_URI: 'mongodb://db/outreach',
    REDIS_URL: 'redis://queue',
    SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    ...settingsOf(container),
  });

const portOf = (container: Container, name: string) =>
  container.ports?.find((port) => port.name === name)?.containerPort;
const isIn = (labels: Labels, wanted: Labels = {}) =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);

describe('the manifests', () => {
  it.each(manifests.map((manifest) => ({ ...manifest, name: manifest.metadata.name })))(
    '$kind $name of $file is valid for the API of Kubernetes',
    ({ name: _name, ...manifest }) => {
      expect(() => expectValid(manifest)).not.toThrow();
    },
  );

  it.each([
    ['a field of another type', { replicas: 'two' }, 'replicas'],
    ['a missing field', { template: undefined }, 'template'],
    ['an unknown field', { replica: 2 }, 'There is no spec.replica'],
    [
      'a nested unknown field',
      { template: { spec: { containers: [{ name: 'a', imagePull: 'x' }] } } },
      'containers.imagePull',
    ],
  ])('are reported with %s', (_what, spec, said) => {
    const [deployment] = deployments;
    expect(() => expectValid({ ...deployment!, spec: { ...deployment!.spec, ...spec } as never })).toThrow(said);
  });

  it('are all in a kustomization, except the example of a secret, and those of it exist', () => {
    const named = kustomizations.flatMap(({ folder, resources }) =>
      resources.map((resource) => join(folder, resource)),
    );
    expect(named.filter((path) => !existsSync(join(__dirname, '../..', path)))).toEqual([]);
    const files = new Set(manifests.map(({ file }) => file));
    expect([...files].filter((file) => !named.includes(file))).toEqual([
      'deploy/kubernetes/example/secret.example.yaml',
    ]);
    for (const { images = [], replicas = [] } of kustomizations) {
      expect(images.map(({ name }) => name)).toEqual(images.length === 0 ? [] : ['outreach']);
      expect(replicas.filter(({ name }) => !deployments.some(({ metadata }) => metadata.name === name))).toEqual([]);
    }
  });

  it('leave the number of replicas to the autoscaler: each apply would reset it', () => {
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name);
    const counted = deployments.filter(({ spec }) => spec.replicas !== undefined).map(({ metadata }) => metadata.name);
    const overlaid = kustomizations.flatMap(({ replicas = [] }) => replicas.map(({ name }) => name));
    expect(scaled).toEqual(['outreach-api']);
    expect(counted).toEqual(['outreach-worker-prompt', 'outreach-worker-bulk']);
    expect(overlaid.filter((name) => !counted.includes(name))).toEqual([]);
  });

  it('reference existing objects only', () => {
    const there = (kind: string, name: string) =>
      manifests.some((one) => one.kind === kind && one.metadata.name === name);
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      expect(there(spec.scaleTargetRef.kind, spec.scaleTargetRef.name)).toBe(true);
    }
    for (const { template, container } of pods) {
      expect(there('ServiceAccount', template.spec.serviceAccountName)).toBe(true);
      const from = container.envFrom.map(({ configMapRef, secretRef }) => configMapRef?.name ?? secretRef?.name);
      expect(from).toEqual([config?.metadata.name, secret?.metadata.name]);
    }
    const backends = ofKind('Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service)),
    );
    for (const { name, port } of backends) {
      expect(
        ofKind('Service')
          .find(({ metadata }) => metadata.name === name)
          ?.spec.ports.map((one) => one.name),
      ).toContain(port.name);
    }
  });
});

describe('a pod', () => {
  it.each(pods)('$name: runs the image and the release of this tree', ({ container }) => {
    expect(container.image).toBe(`outreach:${VERSION}`);
  });

  it.each(pods)('$name: runs a program of the image', ({ container }) => {
    const command = commandOf(container);
    const program = command.find((word) => word.startsWith('dist/')) ?? '';
    expect(command[0]).toBe('node');
    expect(program).toMatch(/^dist\/apps\/(api|worker|cli)\/src\/main\.js$/);
    const source = program.replace('dist/', '').replace('.js', '.ts');
    expect(existsSync(join(__dirname, '../..', source))).toBe(true);
    expect(dockerfile).toContain('COPY --from=build /app/dist dist');
  });

  it.each(pods)('$name: has known and valid settings', ({ container }) => {
    const known = new Set(variables.map(({ env }) => env));
    expect(Object.keys(settingsOf(container)).filter((name) => !known.has(name))).toEqual([]);
    expect(readBy(container).environment).toBe('production');
    const required = variables.filter(({ fallback }) => fallback === undefined).map(({ env }) => env);
    expect(Object.keys(secret?.stringData ?? {}).toSorted()).toEqual(required.toSorted());
  });

  it.each(running)(
    '$name: has the ports of its process, and probes for paths that it answers',
    ({ name, container }) => {
      const { apiPort, apiMetricsPort, workerPort } = readBy(container);
      const ports = container.ports?.map(({ containerPort }) => containerPort);
      expect(ports).toEqual(name === 'outreach-api' ? [apiPort, apiMetricsPort] : [workerPort]);
      const server = textOf('libs/platform/observability/ops-server.service.ts');
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        expect(portOf(container, probe?.httpGet.port ?? '')).toBeGreaterThan(0);
        expect(server).toContain(`case '${probe?.httpGet.path}':`);
      }
      // A process without its database is alive but not ready: a restart would not help.
      expect(container.livenessProbe?.httpGet.path).toBe('/health/live');
      expect(container.readinessProbe?.httpGet.path).toBe('/health/ready');
    },
  );

  it.each(running)('$name: has time for a graceful shutdown', ({ template, container }) => {
    const grace = template.spec.terminationGracePeriodSeconds ?? 30;
    const before = container.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(readBy(container).shutdownTimeoutSeconds).toBeLessThan(grace - before);
  });

  it.each(pods)('$name: has a memory limit with space beyond its heap', ({ container }) => {
    const limit = bytesOf(container.resources.limits.memory);
    expect(limit).toBeGreaterThanOrEqual(bytesOf(container.resources.requests.memory));
    const heap = commandOf(container).find((word) => word.startsWith('--max-old-space-size=')) ?? '';
    // Memory outside V8’s heap (buffers, code, stacks) takes up to a quarter of the limit.
    if (heap !== '') expect(Number(heap.split('=')[1]) * MEBI).toBeLessThanOrEqual(0.75 * limit);
  });

  it.each(running)('$name: matches docker-compose.yml', ({ name, container }) => {
    const { services } = yamlOf<{ services: Record<string, ComposeService> }>('docker-compose.yml');
    const service = services[name === 'outreach-api' ? 'api' : 'worker'];
    expect(container.command).toEqual(service?.command);
    expect(service?.depends_on['migrate']?.condition).toBe('service_completed_successfully');
    const limit = service?.deploy.resources.limits.memory.replace('G', 'Gi').replace('M', 'Mi') ?? '';
    expect(container.resources.limits.memory).toBe(limit);
  });

  it.each(pods)('$name: runs as an unprivileged user, with a read-only image', ({ template, container }) => {
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(template.spec.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
  });
});

describe('the selectors', () => {
  const labelsOf = ({ metadata }: PodTemplate) => metadata.labels;
  const all = pods.map(({ template }) => labelsOf(template));

  it.each(deployments.map(({ metadata, spec }) => ({ name: metadata.name, spec })))(
    '$name select its own pods',
    ({ spec }) => {
      const { matchLabels } = spec.selector;
      expect(all.filter((labels) => isIn(labels, matchLabels))).toEqual([labelsOf(spec.template)]);
      for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
        expect(labelSelector.matchLabels).toEqual(matchLabels);
      }
    },
  );

  it('of services, budgets and monitors match pods, on existing ports', () => {
    for (const { spec } of ofKind('Service')) {
      const found = pods.filter(({ template }) => isIn(labelsOf(template), spec.selector as Labels));
      expect(found.map(({ name }) => name)).toEqual(['outreach-api']);
      for (const { targetPort } of spec.ports) expect(portOf(found[0]!.container, targetPort)).toBe(3000);
    }
    const budgeted = ofKind('PodDisruptionBudget').flatMap(({ spec }) =>
      running.filter(({ template }) => isIn(labelsOf(template), spec.selector.matchLabels)),
    );
    expect(budgeted.map(({ name }) => name)).toEqual(running.map(({ name }) => name));
    for (const { spec } of ofKind('PodMonitor')) {
      for (const { port, path } of spec.podMetricsEndpoints) {
        expect(path).toBe('/metrics');
        for (const { container } of running) expect(portOf(container, port)).toBeGreaterThan(0);
      }
    }
  });

  it('of network policies isolate every pod except for its ports', () => {
    const policies = ofKind('NetworkPolicy').filter(({ spec }) => spec.podSelector.matchLabels);
    for (const { template, container } of pods) {
      const [policy, ...others] = policies.filter(({ spec }) => isIn(labelsOf(template), spec.podSelector.matchLabels));
      expect([policy === undefined, others]).toEqual([false, []]);
      const ports = policy!.spec.ingress.flatMap((rule) => rule.ports.map(({ port }) => port));
      expect(ports.filter((port) => portOf(container, port) === undefined)).toEqual([]);
    }
    const out = ofKind('NetworkPolicy').find(({ spec }) => spec.podSelector.matchExpressions);
    const apps = new Set(all.map(({ app }) => app));
    expect(new Set(out?.spec.podSelector.matchExpressions?.[0]?.values)).toEqual(apps);
  });

  it('of network policies block egress to cloud metadata services, and allow DNS', () => {
    const rules = ofKind('NetworkPolicy').flatMap(({ spec: { egress = [] } }) => egress);
    const blocks = rules.flatMap(({ to, ports }) =>
      to.flatMap(({ ipBlock }) => (ipBlock ? [{ ...ipBlock, ports }] : [])),
    );
    const linkLocal = '169.254.0.0/16';
    expect(blocks.find(({ cidr }) => cidr === '0.0.0.0/0')?.except).toContain(linkLocal);
    const dns = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 }));
    expect(blocks.filter(({ cidr }) => cidr === linkLocal).map(({ ports }) => ports)).toEqual([dns]);
  });
});

describe('the worker roles', () => {
  const roles = running
    .filter(({ name }) => name.startsWith('outreach-worker-'))
    .map(({ name, container }) => ({ name, queues: readBy(container).workerQueues }));

  it('consume each queue exactly once', () => {
    const taken = roles.flatMap(({ queues }) => queues);
    expect(taken.toSorted()).toEqual(QUEUE_NAMES.toSorted());
  });

  it('match docs/operators/scaling.md', () => {
    const page = textOf('docs/operators/scaling.md');
    for (const { name, queues } of roles) {
      const [, listed = ''] =
        new RegExp(`^\\| \`${name.replace('outreach-worker-', '')}\` +\\| ([^|]+) \\|`, 'm').exec(page) ?? [];
      expect(listed.match(/[a-z-]+/g)?.toSorted()).toEqual(queues.toSorted());
    }
  });
});

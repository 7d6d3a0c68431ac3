import t from 'tap';
import { runTranscripts } from './run-transcripts.ts';

const FILES = { text: 'some text', 'settings.env': 'A=1\nB=two\n' };

await runTranscripts(
  t,
  {
    configuration: String.raw`
      $ kubectl create configmap a --from-literal=x=1 --from-file=key=text \
      > --from-env-file=settings.env
      ! error: from-env-file cannot be combined with from-file or from-literal
      exit 1
      $ kubectl create configmap a --from-literal=x=1 --from-file=key=text
      configmap/a created
      $ kubectl create configmap b --from-env-file=settings.env
      configmap/b created
      $ kubectl get configmaps -o jsonpath='{.items[*].data}'
      {"key":"some text","x":"1"} {"A":"1","B":"two"}
      $ kubectl create secret generic plain --from-literal=password=p
      secret/plain created
      $ kubectl get secret plain -o jsonpath='{.type} {.data.password}'
      Opaque cA==
      $ openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=a -keyout key -out crt 2>/dev/null
      $ kubectl create secret tls cert --cert=crt --key=key
      secret/cert created
      $ kubectl create secret docker-registry pull --docker-server=r.example --docker-username=u \
      > --docker-password=p
      secret/pull created
      $ kubectl get secrets
      NAME  TYPE  DATA  AGE
      cert  kubernetes.io/tls  2  <age>
      plain  Opaque  1  <age>
      pull  kubernetes.io/dockerconfigjson  1  <age>
      $ kubectl create serviceaccount robot
      serviceaccount/robot created
      $ kubectl create quota pods --hard=pods=2,cpu=1
      resourcequota/pods created
      $ kubectl create quota pods2 --hard=pods=2,cpu=1 --scopes=BestEffort
      ! error: failed to create quota: ResourceQuota "pods2" is invalid: spec.scopes: <any>
      exit 1
      $ kubectl create priorityclass configuration --value=1000 --description=high \
      > --preemption-policy=Never
      priorityclass.scheduling.k8s.io/configuration created
      $ kubectl get sa,quota,priorityclasses
      NAME  SECRETS  AGE
      serviceaccount/robot  0  <age>

      NAME  AGE  REQUEST  LIMIT
      resourcequota/pods  <age>

      NAME  VALUE  GLOBAL-DEFAULT  AGE
      priorityclass.scheduling.k8s.io/configuration  1000  false  <age>
      priorityclass.scheduling.k8s.io/system-cluster-critical  2000000000  false  <age>
      priorityclass.scheduling.k8s.io/system-node-critical  2000001000  false  <age>
      $ kubectl create configmap a
      ! error: failed to create configmap: configmaps "a" already exists
      exit 1
      $ kubectl create configmap Bad_Name
      ! error: failed to create configmap: ConfigMap "Bad_Name" is invalid: <any>
      exit 1
      $ kubectl create namespace configuration
      ! Error from server (AlreadyExists): namespaces "configuration" already exists
      exit 1
      $ kubectl create namespace made
      namespace/made created
      $ kubectl get namespace made -o \
      > jsonpath='{.spec.finalizers} {.metadata.labels} {.status.phase}'
      ["kubernetes"] {"kubernetes.io/metadata.name":"made"} Active
      $ kubectl delete namespace made
      namespace "made" deleted
    `,
    created: String.raw`
      $ kubectl create deployment web --image=nginx --replicas=2 --port=80
      deployment.apps/web created
      $ kubectl create deployment two --image=nginx --image=redis
      deployment.apps/two created
      $ kubectl create deployment none --image=
      ! error: failed to create deployment: Deployment.apps "none" is invalid: <any>
      exit 1
      $ kubectl create job once --image=busybox -- date
      job.batch/once created
      $ kubectl create cronjob tick --image=busybox --schedule='*/5 * * * *' -- date
      cronjob.batch/tick created
      $ kubectl create cronjob bad --image=busybox --schedule='never'
      ! error: failed to create cronjob: CronJob.batch "bad" is invalid: spec.schedule: <any>
      exit 1
      $ kubectl create job by-hand --from=cronjob/tick
      job.batch/by-hand created
      $ kubectl get jobs,cronjobs,deployments -o wide
      NAME  COMPLETIONS  DURATION  AGE  CONTAINERS  IMAGES  SELECTOR
      job.batch/by-hand  0/1  <age>  tick  busybox  controller-uid=<uid>
      job.batch/once  0/1  <age>  once  busybox  controller-uid=<uid>

      NAME  SCHEDULE  SUSPEND  ACTIVE  LAST SCHEDULE  AGE  CONTAINERS  IMAGES  SELECTOR
      cronjob.batch/tick  */5 * * * *  False  0  <none>  <age>  tick  busybox  <none>

      NAME  READY  UP-TO-DATE  AVAILABLE  AGE  CONTAINERS  IMAGES  SELECTOR
      deployment.apps/two  0/1  0  0  <age>  nginx,redis  nginx,redis  app=two
      deployment.apps/web  0/2  0  0  <age>  nginx  nginx  app=web
      $ kubectl create pdb p --selector=app=web --min-available=1
      poddisruptionbudget.policy/p created
      $ kubectl create poddisruptionbudget p2 --selector=app=web --max-unavailable=50%
      poddisruptionbudget.policy/p2 created
      $ kubectl autoscale deployment web --min=1 --max=3 --cpu-percent=50
      horizontalpodautoscaler.autoscaling/web autoscaled
      $ kubectl autoscale deployment two --max=3 --name=half
      horizontalpodautoscaler.autoscaling/half autoscaled
      $ kubectl get pdb,hpa
      NAME  MIN AVAILABLE  MAX UNAVAILABLE  ALLOWED DISRUPTIONS  AGE
      poddisruptionbudget.policy/p  1  N/A  0  <age>
      poddisruptionbudget.policy/p2  N/A  50%  0  <age>

      NAME  REFERENCE  TARGETS  MINPODS  MAXPODS  REPLICAS  AGE
      horizontalpodautoscaler.autoscaling/half  Deployment/two  <unknown>/80%  1  3  0  <age>
      horizontalpodautoscaler.autoscaling/web  Deployment/web  <unknown>/50%  1  3  0  <age>
      $ kubectl get hpa web -o jsonpath='{.apiVersion} {.spec.metrics[*].resource}'
      autoscaling/v2 {"name":"cpu","target":{"averageUtilization":50,"type":"Utilization"}}
      $ kubectl get horizontalpodautoscalers.v1.autoscaling web -o jsonpath='{.spec}'
      {"maxReplicas":3,"minReplicas":1,"scaleTargetRef":<any>,"targetCPUUtilizationPercentage":50}
      $ kubectl run a --image=nginx --restart=Never --env=X=1 --labels=app=a -- sleep 1
      pod/a created
      $ kubectl get pod a -o jsonpath='{.spec.restartPolicy} {.spec.containers[0].args}'
      Never ["sleep","1"]
      $ kubectl run b --image=nginx --expose --port=80
      service/b created
      pod/b created
      $ kubectl run c --image=nginx --dry-run=client -o yaml
      apiVersion: v1
      kind: Pod
      metadata:
        creationTimestamp: null
        labels:
          run: c
        name: c
      spec:
        containers:
        - image: nginx
          name: c
          resources: {}
        dnsPolicy: ClusterFirst
        restartPolicy: Always
      status: {}
      $ kubectl run c --image=nginx --dry-run=server
      pod/c created (server dry run)
      $ kubectl run a --image=nginx
      ! Error from server (AlreadyExists): pods "a" already exists
      exit 1
      $ kubectl run Bad! --image=nginx
      ! The Pod "Bad!" is invalid:
      ! * metadata.name: Invalid value: "Bad!": a lowercase RFC 1123 subdomain must <any>
      ! * metadata.labels: Invalid value: "Bad!": a valid label must be an empty string <any>
      ! * spec.containers[0].name: Invalid value: "Bad!": a lowercase RFC 1123 label <any>
      exit 1
      $ kubectl get pods
      NAME  READY  STATUS  RESTARTS  AGE
      a  0/1  Pending  0  <age>
      b  0/1  Pending  0  <age>
    `,
    access: String.raw`
      $ kubectl create role reader --verb=get,list --resource=pods,pods/status
      role.rbac.authorization.k8s.io/reader created
      $ kubectl get role reader -o jsonpath='{.rules}'
      [{"apiGroups":[""],"resources":["pods","pods/status"],"verbs":["get","list"]}]
      $ kubectl create rolebinding reader --role=reader --serviceaccount=access:robot --user=ann
      rolebinding.rbac.authorization.k8s.io/reader created
      $ kubectl create clusterrole access --verb=get --resource=nodes,deployments.apps \
      > --resource-name=n
      clusterrole.rbac.authorization.k8s.io/access created
      $ kubectl create clusterrole access-raw --verb=get --non-resource-url=/metrics
      clusterrole.rbac.authorization.k8s.io/access-raw created
      $ kubectl create clusterrolebinding access --clusterrole=access --group=team
      clusterrolebinding.rbac.authorization.k8s.io/access created
      $ kubectl get clusterrole access -o yaml
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata:
        creationTimestamp: "<time>"
        name: access
        resourceVersion: "<n>"
        uid: <uid>
      rules:
      - apiGroups:
        - ""
        resourceNames:
        - "n"
        resources:
        - nodes
        verbs:
        - get
      - apiGroups:
        - apps
        resourceNames:
        - "n"
        resources:
        - deployments
        verbs:
        - get
      $ kubectl get rolebindings/reader clusterrolebindings/access -o wide
      NAME  ROLE  AGE  USERS  GROUPS  SERVICEACCOUNTS
      rolebinding.rbac.authorization.k8s.io/reader  Role/reader  <age>  ann  access/robot

      NAME  ROLE  AGE  USERS  GROUPS  SERVICEACCOUNTS
      clusterrolebinding.rbac.authorization.k8s.io/access  ClusterRole/access  <age>  team
      $ kubectl create role none --verb=get --resource=nothings
      ! the server doesn't have a resource type "nothings"
      exit 1
      $ kubectl set subject rolebinding reader --user=bob --serviceaccount=access:other
      rolebinding.rbac.authorization.k8s.io/reader subjects updated
      $ kubectl get rolebinding reader -o wide
      NAME  ROLE  AGE  USERS  GROUPS  SERVICEACCOUNTS
      reader  Role/reader  <age>  ann, bob  access/robot, access/other
      $ kubectl get rolebinding reader -o yaml
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata:
        creationTimestamp: "<time>"
        name: reader
        namespace: access
        resourceVersion: "<n>"
        uid: <uid>
      roleRef:
        apiGroup: rbac.authorization.k8s.io
        kind: Role
        name: reader
      subjects:
      - apiGroup: rbac.authorization.k8s.io
        kind: User
        name: ann
      - kind: ServiceAccount
        name: robot
        namespace: access
      - apiGroup: rbac.authorization.k8s.io
        kind: User
        name: bob
      - kind: ServiceAccount
        name: other
        namespace: access
      $ kubectl delete clusterrole,clusterrolebinding access
      clusterrole.rbac.authorization.k8s.io "access" deleted
      clusterrolebinding.rbac.authorization.k8s.io "access" deleted
    `,
    networks: String.raw`
      $ kubectl create service clusterip web --tcp=80:8080
      service/web created
      $ kubectl create service clusterip headless --clusterip=None --tcp=80
      service/headless created
      $ kubectl create service nodeport np --tcp=80 --node-port=30080
      service/np created
      $ kubectl create service nodeport np2 --tcp=80 --node-port=30080
      ! error: failed to create NodePort service: Service "np2" is invalid: <any>
      exit 1
      $ kubectl create service externalname en --external-name=example.com
      service/en created
      $ kubectl create service loadbalancer lb --tcp=443
      service/lb created
      $ kubectl get services
      NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE
      en  ExternalName  <none>  example.com  <none>  <age>
      headless  ClusterIP  None  <none>  80/TCP  <age>
      lb  LoadBalancer  <ip>  <pending>  443:<n>/TCP  <age>
      np  NodePort  <ip>  <none>  80:30080/TCP  <age>
      web  ClusterIP  <ip>  <none>  80/TCP  <age>
      $ kubectl get service web -o yaml
      apiVersion: v1
      kind: Service
      metadata:
        creationTimestamp: "<time>"
        labels:
          app: web
        name: web
        namespace: networks
        resourceVersion: "<n>"
        uid: <uid>
      spec:
        clusterIP: <ip>
        clusterIPs:
        - <ip>
        internalTrafficPolicy: Cluster
        ipFamilies:
        - IPv4
        ipFamilyPolicy: SingleStack
        ports:
        - name: 80-8080
          port: 80
          protocol: TCP
          targetPort: 8080
        selector:
          app: web
        sessionAffinity: None
        type: ClusterIP
      status:
        loadBalancer: {}
      $ kubectl create ingress site --class=c --rule='a.example/x*=web:80,tls=cert' \
      > --default-backend=web:80
      ingress.networking.k8s.io/site created
      $ kubectl get ingress
      NAME  CLASS  HOSTS  ADDRESS  PORTS  AGE
      site  c  a.example  80, 443  <age>
      $ kubectl create deployment web --image=nginx --port=80
      deployment.apps/web created
      $ kubectl expose deployment web --name=out --port=80 --target-port=8080 --type=NodePort
      service/out exposed
      $ kubectl expose deployment web --name=same
      service/same exposed
      $ kubectl expose service web --name=third --port=81
      service/third exposed
      $ kubectl expose deployment none --port=80
      ! Error from server (NotFound): deployments.apps "none" not found
      exit 1
      $ kubectl get services out same third -o wide
      NAME  TYPE  CLUSTER-IP  EXTERNAL-IP  PORT(S)  AGE  SELECTOR
      out  NodePort  <ip>  <none>  80:<n>/TCP  <age>  app=web
      same  ClusterIP  <ip>  <none>  80/TCP  <age>  app=web
      third  ClusterIP  <ip>  <none>  81/TCP  <age>  app=web
    `,
  },
  { files: FILES },
);

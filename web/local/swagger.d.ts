/** The part of Swagger UI that the page uses: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plug-points/ */

type SwaggerElement = { readonly type: unknown };
type SwaggerNode = SwaggerElement | string | null;
type SwaggerProps = Readonly<Record<string, unknown>>;
type SwaggerComponent<Props = SwaggerProps> = (props: Props) => SwaggerElement;

interface SwaggerSystem {
  /** React 18. */
  readonly React: {
    readonly Fragment: SwaggerComponent;
    createElement(component: string, props: SwaggerProps | null, ...children: readonly SwaggerNode[]): SwaggerElement;
    createElement<Props>(
      component: SwaggerComponent<Props>,
      props: Props | null,
      ...children: readonly SwaggerNode[]
    ): SwaggerElement;
    useState<State>(initial: State): [State, (next: State) => void];
    useSyncExternalStore<State>(subscribe: (listener: () => void) => () => void, get: () => State): State;
  };
  getComponent(name: string, isContainer?: true): SwaggerComponent;
  readonly specSelectors: {
    info(): { get(name: 'description'): string | undefined };
    /** The document as it was loaded. */
    specJson(): { toJS(): import('./example.ts').ApiDocument };
  };
  readonly authSelectors: {
    /** The tokens by their security schemes. */
    authorized(): { getIn(path: readonly [scheme: string, name: 'value']): string | undefined };
  };
  readonly layoutActions: { parseDeepLinkHash(hash: string): void };
  preauthorizeApiKey(scheme: string, token: string): void;
}

/** The responses of an operation. */
interface SwaggerResponses {
  readonly path: string;
  readonly method: string;
}

interface SwaggerResponse {
  /** The status. */
  readonly code: string;
  readonly response: {
    toJS(): {
      readonly description: string;
      readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>>;
    };
  };
}

interface SwaggerPlugin {
  readonly components: Readonly<Record<string, SwaggerComponent>>;
  readonly wrapComponents: {
    readonly responses: (
      original: SwaggerComponent<SwaggerResponses>,
      system: SwaggerSystem,
    ) => SwaggerComponent<SwaggerResponses>;
    readonly response: (
      original: SwaggerComponent<SwaggerResponse>,
      system: SwaggerSystem,
    ) => SwaggerComponent<SwaggerResponse>;
  };
}

interface SwaggerRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

interface SwaggerOptions {
  readonly url: string;
  readonly dom_id: string;
  readonly layout: string;
  readonly plugins: readonly ((system: SwaggerSystem) => SwaggerPlugin)[];
  readonly deepLinking: boolean;
  readonly displayRequestDuration: boolean;
  readonly persistAuthorization: boolean;
  readonly tryItOutEnabled: boolean;
  readonly syntaxHighlight: { readonly theme: string };
  readonly validatorUrl: null;
  readonly requestInterceptor: (request: SwaggerRequest) => Promise<SwaggerRequest>;
  readonly onComplete: () => void;
}

declare function SwaggerUIBundle(options: SwaggerOptions): SwaggerSystem;

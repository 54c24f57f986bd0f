// Pointer input on a scene: drags that a page begins itself, and drags of the camera.

const ZOOM_PER_PIXEL = 0.0012;

export interface Drag {
  move(x: number, y: number, milliseconds: number): void;
  end(): void;
}

/** The scene that receives the input. */
export interface InputView {
  readonly canvas: HTMLCanvasElement;
  turnCamera(dx: number, dy: number): void;
  panCamera(dx: number, dy: number): void;
  zoomCamera(factor: number): void;
}

export abstract class SceneInput {
  private drag: Drag | null = null;

  constructor(private readonly seen: InputView) {
    const { canvas } = seen;
    canvas.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      (document.activeElement as HTMLElement | null)?.blur();
      canvas.setPointerCapture(event.pointerId);
      const own = event.button === 0 && !event.altKey ? this.begin(event) : null;
      this.drag = own ?? this.camera(event.clientX, event.clientY, event.button !== 0 || event.shiftKey);
    });
    canvas.addEventListener("pointermove", (event) => this.drag?.move(event.clientX, event.clientY, event.timeStamp));
    canvas.addEventListener("pointerup", () => {
      this.drag?.end();
      this.drag = null;
    });
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        seen.zoomCamera(Math.exp(Math.min(Math.max(event.deltaY, -240), 240) * ZOOM_PER_PIXEL));
      },
      { passive: false },
    );
  }

  /** Abandon the current drag. */
  cancel(): void {
    this.drag = null;
  }

  /** Return the drag that a press of the first button begins; null for one of the camera. */
  protected abstract begin(event: PointerEvent): Drag | null;

  private camera(startX: number, startY: number, sideways: boolean): Drag {
    let [lastX, lastY] = [startX, startY];
    return {
      move: (x, y) => {
        if (sideways) this.seen.panCamera(x - lastX, y - lastY);
        else this.seen.turnCamera(x - lastX, y - lastY);
        [lastX, lastY] = [x, y];
      },
      end: () => {},
    };
  }
}

// Buttons that save what the scene shows: a video, and a GIF of the last seconds.

import type { View } from "../scene/view";
import type { Studio } from "../studio";
import { button, setText } from "../ui/dom";
import type { Toast } from "../ui/toast";
import { lastSeconds } from "./last_seconds";
import { VideoRecorder } from "./video";

export class ShareButtons {
  readonly video: HTMLButtonElement;
  readonly gif: HTMLButtonElement;
  readonly recorder: VideoRecorder;

  constructor(
    private readonly studio: Studio,
    private readonly view: View,
    private readonly toast: Toast,
  ) {
    this.recorder = new VideoRecorder(view, () => this.show());
    this.video = button({ id: "video", title: "Record a video (V)", icon: "video", label: "Video" }, () => this.toggleVideo());
    this.gif = button({ id: "gif", title: "Save a GIF of the last seconds (G)", icon: "film", label: "GIF" }, () =>
      this.saveGif(),
    );
    this.show();
  }

  toggleVideo(): void {
    if (this.recorder.recording) this.save(this.recorder.stop(), "motionfields.webm");
    else this.recorder.start().catch((error: Error) => this.toast.show(error.message));
  }

  saveGif(): void {
    if (this.gif.disabled) return;
    this.gif.disabled = true;
    this.save(lastSeconds(this.studio, this.view), "motionfields.gif").finally(() => (this.gif.disabled = false));
  }

  private async save(made: Promise<Blob>, name: string): Promise<void> {
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await made);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    } catch (error) {
      this.toast.show((error as Error).message);
    }
  }

  private show(): void {
    const { recording, seconds } = this.recorder;
    this.video.classList.toggle("recording", recording);
    this.video.setAttribute("aria-pressed", String(recording));
    setText(this.video.lastElementChild!, recording ? `${seconds.toFixed(1)} s` : "Video");
  }
}

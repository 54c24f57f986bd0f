// An animation node that poses a skeletal mesh with a character of a pack. Compiled against stand-ins for Unreal's types,
// not inside Unreal: see README.md. Conversions of axes and units are in motionfields.hpp, which is tested.
#pragma once

#include "CoreMinimal.h"
#include "Animation/AnimNodeBase.h"
#include "motionfields.hpp"

#include "AnimNode_Motionfields.generated.h"

USTRUCT(BlueprintInternalUseOnly)
struct MOTIONFIELDS_API FAnimNode_Motionfields : public FAnimNode_Base {
    GENERATED_BODY()

    // A .mfpack file, relative to the Content folder. Stage its folder as a non-asset directory.
    UPROPERTY(EditAnywhere, Category = Motionfields)
    FString Pack = TEXT("Motionfields/walker.mfpack");

    // Command: yaw angles of the world in degrees, centimetres per second, and a point of the line to follow.
    UPROPERTY(EditAnywhere, Category = Motionfields, meta = (PinShownByDefault))
    float Heading = 0.0f;
    UPROPERTY(EditAnywhere, Category = Motionfields, meta = (PinShownByDefault))
    float Speed = 150.0f;
    UPROPERTY(EditAnywhere, Category = Motionfields, meta = (PinHiddenByDefault))
    float Facing = 0.0f;
    UPROPERTY(EditAnywhere, Category = Motionfields, meta = (PinHiddenByDefault))
    FVector Point = FVector::ZeroVector;
    UPROPERTY(EditAnywhere, Category = Motionfields, meta = (PinHiddenByDefault))
    int32 Gait = 0;

    // Yaw of the mesh component in its actor, in degrees: meshes usually face +y, actors +x.
    UPROPERTY(EditAnywhere, Category = Motionfields)
    float MeshYaw = -90.0f;

    // Where the actor stands after the last update. Move it there on the game thread, after animation was updated.
    FTransform ActorTransform() const { return Actor; }

    virtual void Initialize_AnyThread(const FAnimationInitializeContext &Context) override;
    virtual void CacheBones_AnyThread(const FAnimationCacheBonesContext &Context) override;
    virtual void Update_AnyThread(const FAnimationUpdateContext &Context) override;
    virtual void Evaluate_AnyThread(FPoseContext &Output) override;

private:
    TSharedPtr<motionfields::Pack> Opened;
    TSharedPtr<motionfields::Crowd> Crowd;
    TArray<int32> Joints; // joint of each bone of the compact pose, or INDEX_NONE
    FTransform Actor = FTransform::Identity;
    double Due = 0.0; // seconds that have not been computed yet
};
